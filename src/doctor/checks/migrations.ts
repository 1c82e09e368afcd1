import { isStartupError } from '@/core/config/startup-error'
import type { Connection } from '@/core/db/client'
import { findPending } from '@/core/db/migrate/plan'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('database')

export async function checkMigrations(
  connection: Connection,
  modules: readonly { id: string }[],
  folder: string,
): Promise<Finding[]> {
  try {
    const { pending, applied } = await findPending(connection, modules, folder)
    if (pending.length === 0) return [ok('All migrations are applied.')]
    const message =
      applied === 0
        ? 'It is empty.'
        : `Pending migrations: ${pending.map(({ name }) => name).join(', ')}.`
    return [warning(message, 'The next start applies them. Accounts were not checked.')]
  } catch (thrown) {
    if (!isStartupError(thrown)) throw thrown
    return [error(thrown.message, 'The server does not start until this is fixed.')]
  }
}
