import 'server-only'
import type { Connection } from '@/core/db/client'

/** The users whom a removed module protected with a second factor. */
export type RemovedProtection = { module: string; users: number }

/**
 * A module that protects users has a view of their ids, `<module>_protected_users`. It stays in the
 * database when the module is removed.
 */
export function findRemovedProtection(
  connection: Connection,
  installed: readonly { id: string }[],
): Promise<RemovedProtection[]> {
  return connection.transact(async (execute) => {
    const views = await execute(
      `select viewname as name from pg_views
       where schemaname = current_schema() and viewname ~ '^[a-z0-9_]+_protected_users$'`,
    )
    const removed: RemovedProtection[] = []
    for (const { name } of views) {
      const module = String(name)
        .replace(/_protected_users$/, '')
        .replaceAll('_', '-')
      if (installed.some(({ id }) => id === module)) continue
      const [row] = await execute(`select count(*)::int as users from ${name}`)
      if (Number(row?.users) > 0) removed.push({ module, users: Number(row?.users) })
    }
    return removed
  })
}

export function describeRemovedProtection({ module, users }: RemovedProtection): string {
  const who = users === 1 ? 'One user has' : `${users} users have`
  return `${who} a second factor, but the module ${module} is not installed, so a password alone would sign in. Add it again: npx plinth add ${module}. Or accept this: ACCEPT_REMOVED_PROTECTION=${module}`
}
