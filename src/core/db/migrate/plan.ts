import 'server-only'
import { StartupError } from '@/core/config/env'
import type { Connection } from '@/core/db/client'
import {
  type Installed,
  type Migration,
  nameOf,
  readMigrations,
} from '@/core/db/migrate/migration-files'

type Plan = {
  pending: Migration[]
  /** How many were applied. */
  applied: number
  hasTables: { migrations: boolean; lease: boolean }
}

/** The migrations that `migrate` would apply. Changes nothing. */
export async function findPending(
  connection: Connection,
  modules: Installed,
  root = process.cwd(),
): Promise<{ pending: { name: string; rolling: Migration['rolling'] }[]; applied: number }> {
  const { pending, applied } = await readPlan(connection, readMigrations(modules, root))
  const described = pending.map((migration) => ({
    name: nameOf(migration),
    rolling: migration.rolling,
  }))
  return { pending: described, applied }
}

export function readPlan(connection: Connection, available: Migration[]): Promise<Plan> {
  return connection.transact(async (execute) => {
    const [tables] = await execute(
      `select to_regclass('plinth_migrations') is not null as migrations,
              to_regclass('plinth_migration_lease') is not null as lease`,
    )
    const hasTables = { migrations: tables?.migrations === true, lease: tables?.lease === true }
    const rows = hasTables.migrations
      ? await execute('select owner, name, hash from plinth_migrations')
      : []
    const applied = new Map(rows.map(({ owner, name, hash }) => [`${owner}/${name}`, String(hash)]))
    rejectUnreleased(applied)
    const pending = available.filter((migration) => isPending(migration, applied))
    return { pending, applied: applied.size, hasTables }
  })
}

/** Databases from before the first release have no upgrade path. */
function rejectUnreleased(applied: ReadonlyMap<string, string>): void {
  if (!applied.has('core/0001_core')) return
  throw new StartupError(
    'This database was created before the first release of Plinth and cannot be upgraded. Recreate it: delete the DATA_DIR folder, or drop and create the PostgreSQL database.',
  )
}

function isPending(migration: Migration, applied: ReadonlyMap<string, string>): boolean {
  const hash = applied.get(nameOf(migration))
  if (hash === undefined) return true
  if (hash === migration.hash) return false
  throw new StartupError(
    `Migration ${nameOf(migration)} was changed after it had been applied. Restore it, and add a new migration instead.`,
  )
}
