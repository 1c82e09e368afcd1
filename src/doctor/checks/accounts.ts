import { countAdmins, demoPassword, findOpenDemoAccounts } from '@/core/auth/accounts/users'
import type { Database } from '@/core/db/client'
import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('accounts')

export async function checkAccounts(
  database: Database,
  { settings, exposed }: Pick<Facts, 'settings' | 'exposed'>,
): Promise<Finding[]> {
  const demo = await findOpenDemoAccounts(database)
  const admins = await countAdmins(database)
  const findings: Finding[] = []
  if (demo.length > 0) {
    const level = settings.embedded && !exposed ? warning : error
    findings.push(
      level(
        `The published password ${demoPassword} signs in ${demo.join(', ')}.`,
        'Change their passwords, or delete the accounts, before others can reach this app.',
      ),
    )
  }
  if (admins === 0) {
    const remedy = 'npm run admin:create -- you@example.com'
    findings.push(warning('There is no admin.', remedy))
  }
  const count = admins === 1 ? 'There is one admin' : `There are ${admins} admins`
  return findings.length > 0 ? findings : [ok(`${count}. No account has a published password.`)]
}
