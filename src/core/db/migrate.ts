import 'server-only'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '@/core/config/startup-error'
import type { Connection, Execute } from '@/core/db/client'
import { explainMigrationError } from '@/core/db/startup-errors'

type Migration = { owner: string; name: string; hash: string; statements: string }

/**
 * Applies the pending migrations of core and of every installed module in one transaction. If
 * several instances start together, one migrates and the others wait.
 */
export async function migrate(
  connection: Connection,
  modules: Installed,
  root = process.cwd(),
): Promise<string[]> {
  return connection.transact(async (execute) => {
    await execute(`select pg_advisory_xact_lock(hashtextextended('plinth.migrate', 0))`)
    await explained('core', true, () => execute(table))
    const applied = await appliedMigrations(execute)
    rejectUnreleased(applied)
    const pending = availableMigrations(modules, root).filter((migration) =>
      isPending(migration, applied),
    )
    for (const migration of pending) {
      await explained(nameOf(migration), applied.size === 0, () => apply(execute, migration))
    }
    return pending.map(nameOf)
  })
}

/** The migrations that `migrate` would apply. */
export async function findPending(
  connection: Connection,
  modules: Installed,
  root = process.cwd(),
): Promise<{ pending: string[]; applied: number }> {
  return connection.transact(async (execute) => {
    const [row] = await execute(`select to_regclass('plinth_migrations') is not null as exists`)
    const applied = row?.exists ? await appliedMigrations(execute) : new Map()
    rejectUnreleased(applied)
    const pending = availableMigrations(modules, root).filter((migration) =>
      isPending(migration, applied),
    )
    return { pending: pending.map(nameOf), applied: applied.size }
  })
}

type Installed = readonly { id: string }[]

function availableMigrations(modules: Installed, root: string): Migration[] {
  return [
    ...migrationsIn('core', join(root, 'src/core/db/migrations')),
    ...modules.flatMap(({ id }) => migrationsIn(id, join(root, `src/app/(${id})/migrations`))),
  ]
}

function migrationsIn(owner: string, folder: string): Migration[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
  return files.sort().map((file) => {
    const statements = readFileSync(join(folder, file), 'utf8')
    const hash = createHash('sha256').update(statements.replaceAll('\r\n', '\n')).digest('hex')
    return { owner, name: file.replace(/\.sql$/, ''), hash, statements }
  })
}

const table = `
  create table if not exists plinth_migrations (
    owner text not null,
    name text not null,
    hash text not null,
    applied_at timestamptz(3) not null default now(),
    primary key (owner, name)
  )`

async function appliedMigrations(execute: Execute): Promise<Map<string, string>> {
  const rows = await execute('select owner, name, hash from plinth_migrations')
  return new Map(rows.map(({ owner, name, hash }) => [`${owner}/${name}`, String(hash)]))
}

/** Databases from before the first release have no upgrade path. */
function rejectUnreleased(applied: ReadonlyMap<string, string>): void {
  if (!applied.has('core/0001_core')) return
  throw new StartupError(
    'This database was created before the first release of Plinth and cannot be upgraded. Recreate it: delete the DATA_DIR folder, or drop and create the PostgreSQL database.',
  )
}

function isPending(migration: Migration, applied: Map<string, string>): boolean {
  const hash = applied.get(nameOf(migration))
  if (hash === undefined) return true
  if (hash === migration.hash) return false
  throw new StartupError(
    `Migration ${nameOf(migration)} was changed after it had been applied. Restore it, and add a new migration instead.`,
  )
}

async function apply(
  execute: Execute,
  { owner, name, hash, statements }: Migration,
): Promise<void> {
  await execute(statements)
  // Safe without parameters: a folder name, a file name of letters and digits, and a hex hash.
  await execute(
    `insert into plinth_migrations (owner, name, hash) values ('${owner}', '${name}', '${hash}')`,
  )
}

/** The transaction is rolled back, so an error has changed nothing. */
async function explained<Result>(
  name: string,
  isFirst: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const explanation = explainMigrationError(error, isFirst)
    if (!explanation) throw error
    const { problem, remedy } = explanation
    throw new StartupError(`Migration ${name} failed: ${problem} ${remedy} Nothing was changed.`, {
      cause: error,
    })
  }
}

function nameOf({ owner, name }: Migration): string {
  return `${owner}/${name}`
}
