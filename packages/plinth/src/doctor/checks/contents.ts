import { countAdmins, findOpenDemoAccounts } from '#auth/accounts/users'
import type { Connection, Database } from '#db/client'
import { explainRemovedProtection, findRemovedProtection } from '#db/migrate/migrate'
import { type Facts, type Installed, reporter } from '#doctor/facts'
import { countJobs } from '#jobs/worker'
import { countQueuedMail } from '#mail/mail'
import type { Finding } from '#modules/module'
import { changeKeyIdOf, countChangesByKey } from '#recovery/changes'
import { demoPassword } from '#universal/users'

const accountsReport = reporter('accounts')

export async function checkProtection(
  connection: Connection,
  modules: Installed,
  { settings }: Facts,
): Promise<Finding[]> {
  const removed = await findRemovedProtection(connection, modules)
  return removed.map((protection) => {
    const { problem, remedy } = explainRemovedProtection(protection)
    const { module } = protection
    return settings.ACCEPT_REMOVED_PROTECTION.includes(module)
      ? accountsReport.warning(problem, `Add it again: npx plinth add ${module}.`)
      : accountsReport.error(problem, remedy)
  })
}

export async function checkAccounts(
  database: Database,
  { settings, exposed }: Pick<Facts, 'settings' | 'exposed'>,
): Promise<Finding[]> {
  const demo = await findOpenDemoAccounts(database)
  const admins = await countAdmins(database)
  const findings: Finding[] = []
  if (demo.length > 0) {
    const level = settings.embedded && !exposed ? accountsReport.warning : accountsReport.error
    findings.push(
      level(
        `The published password ${demoPassword} signs in ${demo.join(', ')}.`,
        'Change their passwords, or delete the accounts, before others can reach this app.',
      ),
    )
  }
  if (admins === 0) {
    const remedy = 'npm run admin:create -- you@example.com'
    findings.push(accountsReport.warning('There is no admin.', remedy))
  }
  const count = admins === 1 ? 'There is one admin' : `There are ${admins} admins`
  return findings.length > 0
    ? findings
    : [accountsReport.ok(`${count}. No account has a published password.`)]
}

const recoveryReport = reporter('recovery')

/**
 * Whether a recovery can restore what recent changes have removed. Their secrets are not encrypted again:
 * a removed authenticator app has a secret inside that only its module can read.
 */
export async function checkRecovery(
  database: Database,
  { authSecrets }: Pick<Facts, 'authSecrets'>,
): Promise<Finding[]> {
  const [current, ...previous] = authSecrets.map(changeKeyIdOf)
  if (current === undefined) return []
  const counts = await countChangesByKey(database)
  return counts.flatMap(({ keyId, count, endsAt }) => {
    if (keyId === current) return []
    const changes = count === 1 ? 'One recent change' : `${count} recent changes`
    const isOld = previous.includes(keyId)
    return [
      isOld
        ? recoveryReport.warning(
            `${changes} of sign-in methods can be undone with AUTH_SECRET_PREVIOUS only.`,
            `Do not remove it before ${endsAt}, when the last of their links has ended.`,
          )
        : recoveryReport.warning(
            `${changes} of sign-in methods cannot be undone: neither AUTH_SECRET nor AUTH_SECRET_PREVIOUS fits.`,
            'Set AUTH_SECRET_PREVIOUS to the secret of before, if you still have it.',
          ),
    ]
  })
}

const hourSeconds = 60 * 60

const selectPartitions = `
  select max(ends) > now() + interval '1 month' as "areAhead" from audit_partitions`

/** Checks the background work that a running server would have done by now. */
export async function checkQueues(
  { database, query }: Connection,
  { settings }: Pick<Facts, 'settings'>,
): Promise<Finding[]> {
  const [jobs, mail, { rows }] = await Promise.all([
    // The embedded database can be opened only while no server runs: all schedules are late then.
    countJobs(database, { schedules: !settings.embedded }),
    countQueuedMail(database),
    query(selectPartitions, []),
  ])
  const [partitions] = rows as { areAhead: boolean }[]
  const findings: Finding[] = []
  if (jobs.failed > 0) {
    const count = jobs.failed === 1 ? 'One job has' : `${jobs.failed} jobs have`
    findings.push(jobsReport.warning(`${count} failed.`, seeJobs))
  }
  if (jobs.overdueSeconds > hourSeconds) {
    const hours = Math.floor(jobs.overdueSeconds / hourSeconds)
    const message = `The oldest job has been due for ${describeHours(hours)}.`
    findings.push(jobsReport.warning(message, 'Check that a server is running, and its log.'))
  }
  if (!partitions?.areAhead) {
    const message = 'The audit log has no partition for the next month.'
    const remedy = 'The job core.audit_log adds it. Check that a server is running, and its log.'
    findings.push(jobsReport.warning(message, remedy))
  }
  if (mail.oldestSeconds > hourSeconds) {
    const hours = Math.floor(mail.oldestSeconds / hourSeconds)
    const message = `The oldest mail has been queued for ${describeHours(hours)}.`
    findings.push(mailReport.warning(message, 'See the log for the response of the mail server.'))
  }
  return findings.some(({ check }) => check === 'jobs')
    ? findings
    : [jobsReport.ok('No job has failed or is late.'), ...findings]
}

const jobsReport = reporter('jobs')
const mailReport = reporter('mail')
const seeJobs = 'With the module admin see /admin/jobs, else the column reason of the table jobs.'

function describeHours(hours: number): string {
  return hours === 1 ? 'an hour' : `${hours} hours`
}
