import { isStartupError } from '@/core/config/env'
import type { Connection } from '@/core/db/client'
import { findPending } from '@/core/db/migrate/plan'
import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

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
