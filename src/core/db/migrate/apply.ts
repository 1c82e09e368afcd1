import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { Change, Connection, Execute } from '@/core/db/client'
import { BatchSize } from '@/core/db/migrate/batch-size'
import { explained, outcomeOf } from '@/core/db/migrate/explain'
import { dropInvalidIndex, requireValidIndex } from '@/core/db/migrate/invalid-index'
import type { Lease } from '@/core/db/migrate/lease'
import { type Migration, nameOf } from '@/core/db/migrate/migration-files'
import { retryLocks } from '@/core/db/migrate/retry-locks'

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

/** Of two processes that believe to hold the lease, one fails here. */
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
