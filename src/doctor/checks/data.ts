import { countAdmins, demoPassword, findOpenDemoAccounts } from '@/core/auth/accounts/users'
import { isStartupError } from '@/core/config/env'
import type { Connection, Database } from '@/core/db/client'
import { findPending } from '@/core/db/migrate/plan'
import { type Facts, type Finding, reporter } from '@/doctor/facts'

const accountsReport = reporter('accounts')

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

const { error, warning, ok } = reporter('database')

export async function checkMigrations(
  connection: Connection,
  modules: readonly { id: string }[],
  { folder, settings }: Pick<Facts, 'folder' | 'settings'>,
): Promise<Finding[]> {
  const appliedAtStart = settings.MIGRATE === 'start'
  try {
    const { pending, applied } = await findPending(connection, modules, folder)
    if (pending.length === 0) return [ok('All migrations are applied.')]
    const message =
      applied === 0
        ? 'It is empty.'
        : `Pending migrations: ${pending.map(({ name }) => name).join(', ')}.`
    const remedy = appliedAtStart ? 'The next start applies them.' : 'Run npm run migrate.'
    return [warning(message, `${remedy} Accounts were not checked.`)]
  } catch (thrown) {
    if (!isStartupError(thrown)) throw thrown
    return [error(thrown.message, 'The server does not start until this is fixed.')]
  }
}
