import type { Connection } from '@/core/db/client'
import { findPending } from '@/core/db/migrate'
import { type Finding, reporter } from '@/core/doctor/finding'
import { isStartRefused } from '@/core/start-refused'

const { error, warning, fine } = reporter('database')

export async function checkMigrations(
  connection: Connection,
  modules: readonly { id: string }[],
  folder: string,
): Promise<Finding[]> {
  try {
    const { pending, applied } = await findPending(connection, modules, folder)
    if (pending.length === 0) return [fine('Every migration is applied.')]
    const what = applied === 0 ? 'Nothing is in it yet.' : `Not applied yet: ${pending.join(', ')}.`
    return [warning(what, 'The next start applies them; accounts were not looked at.')]
  } catch (thrown) {
    if (!isStartRefused(thrown)) throw thrown
    return [error(thrown.message, 'The server does not start until that is done.')]
  }
}
