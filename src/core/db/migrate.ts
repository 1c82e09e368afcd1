import 'server-only'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection, RunSql } from '@/core/db/client'
import { StartRefused } from '@/core/start-refused'

type Migration = { owner: string; name: string; hash: string; statements: string }

/**
 * Brings the tables of core and of every installed module up to date, in one transaction: all of
 * it or nothing. However many instances start at once, one migrates and the others wait for it.
 */
export async function migrate(
  connection: Connection,
  modules: Installed,
  root = process.cwd(),
): Promise<string[]> {
  return connection.transact(async (run) => {
    await run(`select pg_advisory_xact_lock(hashtextextended('plinth.migrate', 0))`)
    await run(table)
    const applied = await appliedMigrations(run)
    const pending = wanted(modules, root).filter((migration) => isPending(migration, applied))
    for (const migration of pending) await apply(run, migration)
    return pending.map(nameOf)
  })
}

/** What `migrate` would do, without doing it. */
export async function findPending(
  connection: Connection,
  modules: Installed,
  root = process.cwd(),
): Promise<{ pending: string[]; applied: number }> {
  return connection.transact(async (run) => {
    const [there] = await run(`select to_regclass('plinth_migrations') is not null as there`)
    const applied = there?.there ? await appliedMigrations(run) : new Map()
    const pending = wanted(modules, root).filter((migration) => isPending(migration, applied))
    return { pending: pending.map(nameOf), applied: applied.size }
  })
}

type Installed = readonly { id: string }[]

function wanted(modules: Installed, root: string): Migration[] {
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

async function appliedMigrations(run: RunSql): Promise<Map<string, string>> {
  const rows = await run('select owner, name, hash from plinth_migrations')
  return new Map(rows.map(({ owner, name, hash }) => [`${owner}/${name}`, String(hash)]))
}

function isPending(migration: Migration, applied: Map<string, string>): boolean {
  const hash = applied.get(nameOf(migration))
  if (hash === undefined) return true
  if (hash === migration.hash) return false
  throw new StartRefused(
    `Migration ${nameOf(migration)} was changed after it had been applied. Put it back as it was, and write a new one.`,
  )
}

async function apply(run: RunSql, { owner, name, hash, statements }: Migration): Promise<void> {
  await run(statements)
  // Safe as text: a folder's name, a file name of letters and digits, and a hash in hexadecimal.
  await run(
    `insert into plinth_migrations (owner, name, hash) values ('${owner}', '${name}', '${hash}')`,
  )
}

function nameOf({ owner, name }: Migration): string {
  return `${owner}/${name}`
}
