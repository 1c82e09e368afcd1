import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isStartupError, StartupError } from '#config/env'
import type { Change, Connection, Execute } from '#db/client'
import { explained, type Migration, nameOf, outcomeOf, retryLocks } from '#db/migrate/plan'
import { log } from '#log/log'

type Context = { connection: Connection; lease: Lease; lockWaitMs: number }

/**
 * A migration may wait for two or three locks, and requests behind it must not wait for a second. Its
 * statements take the time they take. The server notices a client that has died while one runs.
 */
const limits = `
  set local lock_timeout = 300;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 30000;
  select set_config(name, '5s', true) from pg_settings
    where name = 'client_connection_check_interval' and version() like '%linux%'`

export async function applyMigration(context: Context, migration: Migration): Promise<void> {
  const name = nameOf(migration)
  const failing = { name, isFirst: false, outcome: outcomeOf(migration) }
  const retry = <Result>(work: () => Promise<Result>) =>
    retryLocks(failing, context.lockWaitMs, () => explained(failing, work))
  if (migration.transaction === 'batch') return applyInBatches(context, migration, retry)
  await retry(() =>
    migration.transaction === 'none'
      ? applyAlone(context, migration)
      : transactWithLease(context, async (execute) => {
          await execute(migration.statements)
          await record(execute, migration)
        }),
  )
}

/** An interrupted run may have executed the statement already, so it must be repeatable. */
async function applyAlone({ connection, lease }: Context, migration: Migration): Promise<void> {
  await lease.renew()
  await dropInvalidIndex(connection, migration.statements)
  try {
    await connection.executeAlone(migration.statements)
  } catch (error) {
    await dropInvalidIndex(connection, migration.statements).catch(() => {})
    throw error
  }
  await requireValidIndex(connection, migration.statements)
  await transactWithLease({ connection, lease }, (execute) => record(execute, migration))
}

type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Each batch is a transaction, whose size is the parameter of the statement. Requests wait for the rows
 * of a batch, so it must be short. Between batches, others get as much time as the last one took.
 */
async function applyInBatches(context: Context, migration: Migration, retry: Retry): Promise<void> {
  const batch = new BatchSize()
  for (let changed = 1; changed > 0; ) {
    const startedAt = performance.now()
    changed = await retry(() =>
      transactWithLease(context, async (execute, change) => {
        const rows = await batch.measure((size) => change(migration.statements, [size]))
        if (rows === 0) await record(execute, migration)
        return rows
      }),
    )
    if (changed > 0) await pause(performance.now() - startedAt)
  }
}

/** One of two processes that both believe they hold the lease fails here. */
function transactWithLease<Result>(
  { connection, lease }: Pick<Context, 'connection' | 'lease'>,
  work: (execute: Execute, change: Change) => Promise<Result>,
): Promise<Result> {
  return connection.transact(async (execute, change) => {
    await execute(limits)
    await lease.lock(execute)
    const result = await work(execute, change)
    await lease.extend(execute)
    return result
  })
}

/** Safe without parameters: a folder name, a file name of letters and digits, and a hex hash. */
export async function record(execute: Execute, { owner, name, hash }: Migration): Promise<void> {
  await execute(
    `insert into plinth_migrations (owner, name, hash) values ('${owner}', '${name}', '${hash}')`,
  )
}

/** Requests that change one of the rows wait for so long, and less than a second on a busy machine. */
const targetMs = 200
const firstSize = 100
const maxSize = 10_000

/** The number of rows that a batch changes in about that time, whatever a row costs. */
class BatchSize {
  #size = firstSize

  async measure<Result>(work: (size: number) => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    const result = await work(this.#size)
    const factor = targetMs / Math.max(1, performance.now() - startedAt)
    const size = Math.round(this.#size * Math.min(2, factor))
    this.#size = Math.min(Math.max(1, size), maxSize)
    return result
  }
}

const buildsIndex =
  /^(?:\s*--[^\n]*\n)*\s*create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)\s+on\b/i

const pollMs = 500

/**
 * An interrupted concurrent build leaves an index that no query uses and every write updates, and
 * `if not exists` would keep it.
 */
async function dropInvalidIndex(connection: Connection, statement: string): Promise<void> {
  const name = builtIndex(statement)
  if (name === undefined) return
  // The process that started it has died, but the server may still build it.
  while ((await readState(connection, name)) === 'building') await pause(pollMs)
  if ((await readState(connection, name)) === 'invalid') {
    await connection.executeAlone(`drop index concurrently if exists ${name}`)
  }
}

async function requireValidIndex(connection: Connection, statement: string): Promise<void> {
  const name = builtIndex(statement)
  if (name === undefined || (await readState(connection, name)) === 'valid') return
  throw new Error(`The index ${name} is not valid.`)
}

function builtIndex(statement: string): string | undefined {
  return buildsIndex.exec(statement)?.[1]
}

type State = 'missing' | 'building' | 'invalid' | 'valid'

async function readState(connection: Connection, name: string): Promise<State> {
  const { rows } = await connection.query(
    `select case
       when indisvalid then 'valid'
       when exists (
         select 1 from pg_stat_progress_create_index where index_relid = indexrelid
       ) then 'building'
       else 'invalid'
     end as state
     from pg_index where indexrelid = to_regclass($1)`,
    [name],
  )
  const [row] = rows as { state: State }[]
  return row?.state ?? 'missing'
}

/** How long after the death of its holder another process takes the lease over. */
const leaseSeconds = 15
const renewIntervalMs = 3_000

/** Without the database there is nothing to migrate, and a statement may never be answered. */
const maxFailures = 20

const table = `
  create table if not exists plinth_migration_lease (
    only_row boolean primary key default true check (only_row),
    holder uuid not null,
    expires_at timestamptz(3) not null
  )`

const expiry = `clock_timestamp() + interval '${leaseSeconds} seconds'`

/**
 * The right to migrate: one row, with a holder and an expiry by the clock of the database. It needs no
 * session of the database, so it works through a pooler in transaction mode. A transaction locks the
 * row; while it runs, no other process can take the lease over.
 */
export class Lease {
  readonly #connection: Connection
  readonly #holder = randomUUID()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async exists(): Promise<boolean> {
    const { rows } = await this.#connection.query(
      `select 1 where to_regclass('plinth_migration_lease') is not null`,
      [],
    )
    return rows.length > 0
  }

  /** Creates the table, which does not exist in databases of earlier versions, and takes the lease. */
  async create(execute: Execute): Promise<boolean> {
    await execute(table)
    const rows = await execute(
      `insert into plinth_migration_lease (holder, expires_at) values ('${this.#holder}', ${expiry})
       on conflict do nothing returning holder`,
    )
    return rows.length > 0
  }

  /** Whether it is ours now: it was free, or its holder has not renewed it in time. */
  async take(): Promise<boolean> {
    const { rows } = await this.#connection.query(
      `update plinth_migration_lease set holder = $1::uuid, expires_at = ${expiry}
       where only_row in (
         select only_row from plinth_migration_lease where expires_at < clock_timestamp()
         for update skip locked
       ) returning holder`,
      [this.#holder],
    )
    return rows.length > 0
  }

  /** Until the end of the transaction. Fails if another process has taken it over. */
  async lock(execute: Execute): Promise<void> {
    const rows = await execute(
      `select 1 from plinth_migration_lease where holder = '${this.#holder}' for update`,
    )
    if (rows.length === 0) throw takenOver()
  }

  /** Before the transaction commits, which may have taken longer than the lease. */
  async extend(execute: Execute): Promise<void> {
    await execute(`update plinth_migration_lease set expires_at = ${expiry}`)
  }

  /** Renews it while the work runs, which fails as soon as the lease is lost. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    let renewing: NodeJS.Timeout | undefined
    const lost = new Promise<never>((_, reject) => {
      let failures = 0
      const renewed = () => {
        failures = 0
      }
      const failed = (error: unknown) => {
        failures += 1
        if (isStartupError(error) || failures === maxFailures) reject(error)
      }
      renewing = setInterval(() => this.renew().then(renewed, failed), renewIntervalMs)
    })
    try {
      return await Promise.race([work(), lost])
    } finally {
      clearInterval(renewing)
      await this.#release()
    }
  }

  /** Before a statement without a transaction. */
  async renew(): Promise<void> {
    const { rows } = await this.#connection.query(
      `update plinth_migration_lease set expires_at = ${expiry}
       where only_row in (
         select only_row from plinth_migration_lease where holder = $1::uuid for update skip locked
       ) returning holder`,
      [this.#holder],
    )
    if (rows.length > 0) return
    // One of our own transactions has locked it.
    const { rows: held } = await this.#connection.query(
      'select 1 from plinth_migration_lease where holder = $1::uuid',
      [this.#holder],
    )
    if (held.length === 0) throw takenOver()
  }

  async #release(): Promise<void> {
    await this.#connection
      .query(`update plinth_migration_lease set expires_at = '-infinity' where holder = $1::uuid`, [
        this.#holder,
      ])
      .catch((error: unknown) => log().debug({ err: error }, 'migration lease not released'))
  }
}

function takenOver(): StartupError {
  return new StartupError(
    'Another process has taken over the migrations, because this one did not respond in time. It continues them.',
  )
}
