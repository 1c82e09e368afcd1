import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { appFolder } from '#config/app-folder'
import { StartupError } from '#config/env'
import type { Connection } from '#db/client'
import { sqlState } from '#db/errors'
import { explainMigrationError } from '#db/explain-errors'

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
  folders: Folders = {},
): Promise<{ pending: { name: string; rolling: Migration['rolling'] }[]; applied: number }> {
  const { pending, applied } = await readPlan(connection, readMigrations(modules, folders))
  const described = pending.map((migration) => ({
    name: nameOf(migration),
    rolling: migration.rolling,
  }))
  return { pending: described, applied }
}

/** A connection for migrations has no limits of its own: without this one the caller would hang. */
export const shortLockWait = `set local lock_timeout = '1s'`

export function readPlan(connection: Connection, available: Migration[]): Promise<Plan> {
  return connection.transact(async (execute) => {
    await execute(shortLockWait)
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

export type Migration = {
  owner: string
  name: string
  hash: string
  statements: string
  /** Whether processes of the previous version work while it is applied, and afterwards. */
  rolling: 'safe' | 'unsafe'
  /** One for the file; none for its only statement; one for each batch of its only statement. */
  transaction: 'one' | 'none' | 'batch'
}

export type Installed = readonly { id: string }[]

/** `root` has the modules. */
export type Folders = { root?: string; core?: string }

const migrationsOfCore = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** The migrations of the engine, then those of each module, in the order in which they are applied. */
export function readMigrations(
  modules: Installed,
  { root = appFolder(), core = migrationsOfCore }: Folders = {},
): Migration[] {
  return [
    ...migrationsIn('core', core),
    ...modules.flatMap(({ id }) => migrationsIn(id, migrationsOf(id, root))),
  ]
}

/** From their folders, so that `migrate` needs no build. */
export function modulesWithMigrations(root = appFolder()): Installed {
  const folders = readdirSync(join(root, 'src', 'app')).sort()
  const ids = folders.flatMap((name) => /^\((.+)\)$/.exec(name)?.[1] ?? [])
  return ids.filter((id) => existsSync(migrationsOf(id, root))).map((id) => ({ id }))
}

function migrationsOf(id: string, root: string): string {
  return join(root, `src/app/(${id})/migrations`)
}

export function nameOf({ owner, name }: Migration): string {
  return `${owner}/${name}`
}

function migrationsIn(owner: string, folder: string): Migration[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
  return files.sort().map((file) => ({
    owner,
    name: file.replace(/\.sql$/, ''),
    ...parseMigration(readFileSync(join(folder, file), 'utf8')),
  }))
}

const directive = /^-- (?:rolling: (safe|unsafe)|transaction: (none|batch))[ \t]*\n/

/** The hash does not cover the directives, so that an applied migration can get them. */
export function parseMigration(text: string): Omit<Migration, 'owner' | 'name'> {
  let statements = text.replaceAll('\r\n', '\n')
  let rolling: Migration['rolling'] = 'unsafe'
  let transaction: Migration['transaction'] = 'one'
  for (let line = directive.exec(statements); line; line = directive.exec(statements)) {
    if (line[1]) rolling = line[1] as Migration['rolling']
    if (line[2]) transaction = line[2] as Migration['transaction']
    statements = statements.slice(line[0].length)
  }
  const hash = createHash('sha256').update(statements).digest('hex')
  return { rolling, transaction, hash, statements }
}

/** Lock not available, deadlock. */
const lockStates = new Set(['55P03', '40P01'])

type Locked = { name: string; outcome: string }

const firstPauseMs = 250
const maxPauseMs = 8_000

/**
 * Requests wait behind a statement that waits for a lock. So a migration gives up soon, lets them
 * pass, and tries again.
 */
export async function retryLocks<Result>(
  migration: Locked,
  waitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!lockStates.has(sqlState(error) ?? '')) throw error
      if (performance.now() + pauseMs > deadline) throw lockedError(migration, waitMs, error)
      await pause(pauseMs)
    }
  }
}

function lockedError({ name, outcome }: Locked, waitMs: number, cause: unknown): StartupError {
  return new StartupError(
    `Migration ${name} failed: other transactions have held the locks that it needs for ${waitMs / 1000} seconds. End them: pg_stat_activity lists them by xact_start. ${outcome}`,
    { cause },
  )
}

type Failing = {
  name: string
  /** None was applied before. */
  isFirst: boolean
  /** A sentence about the state of the database. */
  outcome: string
}

/** Names the migration in its errors, with a remedy. */
export async function explained<Result>(
  { name, isFirst, outcome }: Failing,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const explanation = explainMigrationError(error, isFirst)
    if (!explanation) throw error
    const { problem, remedy } = explanation
    throw new StartupError(`Migration ${name} failed: ${problem} ${remedy} ${outcome}`, {
      cause: error,
    })
  }
}

export function outcomeOf({ transaction }: Migration): string {
  const kept = transaction === 'batch' ? 'Earlier batches are kept.' : 'Nothing of it was changed.'
  return `${kept} The next run continues with it.`
}
