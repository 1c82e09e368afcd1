import { countAdmins } from '@/core/auth/count-admins'
import { demoPassword, openDemoAccounts } from '@/core/auth/demo-accounts'
import type { Database } from '@/core/db/client'
import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'

const { error, warning, fine } = reporter('accounts')

export async function checkAccounts(
  database: Database,
  { settings, exposed }: Pick<Facts, 'settings' | 'exposed'>,
): Promise<Finding[]> {
  const demo = await openDemoAccounts(database)
  const admins = await countAdmins(database)
  const findings: Finding[] = []
  if (demo.length > 0) {
    const level = settings.embedded && !exposed ? warning : error
    findings.push(
      level(
        `${demo.join(', ')} can be signed in to with ${demoPassword}, which is published.`,
        'Change their passwords or delete them before anybody else can reach this.',
      ),
    )
  }
  if (admins === 0) {
    const remedy = 'npm run admin:create -- you@example.com'
    findings.push(warning('Nobody is an admin.', remedy))
  }
  const count = admins === 1 ? 'There is one admin' : `There are ${admins} admins`
  return findings.length > 0
    ? findings
    : [fine(`${count}, and no account has a published password.`)]
}
