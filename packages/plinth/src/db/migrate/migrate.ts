import { setTimeout as pause } from 'node:timers/promises'
import { type Env, StartupError } from '#config/env'
import type { Connection } from '#db/client'
import { applyMigration, Lease, record } from '#db/migrate/apply'
import {
  explained,
  type Folders,
  findPending,
  type Installed,
  type Migration,
  nameOf,
  readMigrations,
  readPlan,
  shortLockWait,
} from '#db/migrate/plan'
import { waitForTable } from '#db/wait'
import { log } from '#log/log'

/** Applies what is pending. With MIGRATE=manual it refuses to start instead. */
export async function migrateAtStart(
  connection: Connection,
  modules: Installed,
  { MIGRATE }: Pick<Env, 'MIGRATE'>,
): Promise<void> {
  if (MIGRATE === 'manual') return requireMigrated(connection, modules)
  await migrate(connection, modules, {
    onApplied: (name) => log().info(`applied migration ${name}`),
  })
}

const planTable = 'plinth_migrations'

async function requireMigrated(connection: Connection, modules: Installed): Promise<void> {
  const { pending } = await waitForTable(planTable, () => findPending(connection, modules))
  if (pending.length === 0) return
  const names = pending.map(({ name }) => name).join(', ')
  throw new StartupError(
    `Migrations are pending: ${names}. MIGRATE is manual, so they are not applied at startup. Run npm run migrate, or node node_modules/plinth migrate.`,
  )
}

type Options = Folders & {
  onApplied?: (name: string, milliseconds: number) => void
  /** How long a migration tries to get its locks. */
  lockWaitMs?: number
}

type Run = Required<Omit<Options, keyof Folders>> & { connection: Connection; lease: Lease }

const waitIntervalMs = 500

/**
 * Applies the pending migrations of the engine and of every installed module, each on its own. If several
 * processes start together, one migrates and the others wait. After an error the next run continues.
 */
export async function migrate(
  connection: Connection,
  modules: Installed,
  { onApplied = () => {}, lockWaitMs = 120_000, ...folders }: Options = {},
): Promise<string[]> {
  const available = readMigrations(modules, folders)
  const applied: string[] = []
  const lease = new Lease(connection)
  const run: Run = {
    connection,
    lease,
    lockWaitMs,
    onApplied(name, milliseconds) {
      applied.push(name)
      onApplied(name, milliseconds)
    },
  }
  if (!(await takeTurn(run, available))) return applied
  await lease.hold(async () => {
    const { pending } = await waitForTable(planTable, () => readPlan(connection, available))
    for (const migration of pending) {
      await timed(run, migration, () => applyMigration(run, migration))
    }
  })
  return applied
}

/** Waits until the lease is held. False if nothing is pending any more. */
async function takeTurn(run: Run, available: Migration[]): Promise<boolean> {
  for (let waits = 0; ; waits += 1) {
    const { pending, hasTables } = await waitForTable(planTable, () =>
      readPlan(run.connection, available),
    )
    const [first] = pending
    if (!first) return false
    if (hasTables.lease && (await run.lease.take())) return true
    if (!hasTables.lease && (await createLease(run, hasTables.migrations, first))) return true
    if (waits === 0) log().info('waiting for another process that migrates')
    await pause(waitIntervalMs)
  }
}

async function createLease(run: Run, hasMigrations: boolean, first: Migration): Promise<boolean> {
  const { connection, lease } = run
  try {
    if (hasMigrations) return await connection.transact((execute) => lease.create(execute))
    await timed(run, first, () => applyFirstMigration(connection, lease, first))
    return true
  } catch (error) {
    // All but one of several concurrent first starts find that the tables exist already.
    if (await lease.exists()) return false
    throw error
  }
}

async function timed(run: Run, migration: Migration, apply: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  await apply()
  run.onApplied(nameOf(migration), performance.now() - startedAt)
}

const table = `
  create table plinth_migrations (
    owner text not null,
    name text not null,
    hash text not null,
    applied_at timestamptz(3) not null default now(),
    primary key (owner, name)
  )`

const first = { isFirst: true, outcome: 'Nothing was changed.' }

/** With the tables of the migrator, in one transaction: a database of another app is not changed. */
async function applyFirstMigration(
  connection: Connection,
  lease: Lease,
  migration: Migration,
): Promise<void> {
  await connection.transact(async (execute) => {
    await explained({ ...first, name: 'core' }, async () => {
      await execute(table)
      await lease.create(execute)
    })
    await explained({ ...first, name: nameOf(migration) }, () => execute(migration.statements))
    await record(execute, migration)
    await lease.extend(execute)
  })
}

/** The users whom a removed module protected with a second factor. */
export type RemovedProtection = { module: string; users: number }

/**
 * A module that protects users has a view of their ids, `<module>_protected_users`. It stays in the
 * database when the module is removed.
 */
export function findRemovedProtection(
  connection: Connection,
  installed: Installed,
): Promise<RemovedProtection[]> {
  return connection.transact(async (execute) => {
    await execute(shortLockWait)
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

export function explainRemovedProtection({ module, users }: RemovedProtection) {
  const who = users === 1 ? 'One user has' : `${users} users have`
  return {
    problem: `${who} a second factor, but the module ${module} is not installed, so a password alone signs in.`,
    remedy: `Add it again: npx plinth add ${module}. Or accept this: ACCEPT_REMOVED_PROTECTION=${module}`,
  }
}
