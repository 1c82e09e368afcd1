import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import {
  PGlite,
  type QueryOptions,
  type Results,
  type Transaction,
  types,
} from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { makePrivate, StartupError } from '#config/env'
import { makeFolder } from '#config/folders'
import { withAfterCommit } from '#db/after-commit'
import type { Connection, Database } from '#db/client'
import { type CopiedDatabase, type CopyEnd, serveCopies } from '#db/embedded/backup-socket'
import { createEmbedded, embeddedSettings } from '#db/embedded/data-folder'
import { DurableFiles, durableStartParams } from '#db/embedded/durable-files'
import { takeLock } from '#db/embedded/lock'
import { EmbeddedQueue } from '#db/embedded/queue'
import { readStorage } from '#db/embedded/storage'
import * as schema from '#db/schema'
import { log } from '#log/log'
import { inQuerySpan, tracing } from '#log/trace'
import { histogram, metricsEnabled, observeSince } from '#metrics/metrics'

const backgroundTimeoutMs = 60_000

/** PGlite, with its files in `folder`/database. One process at a time. */
export async function openEmbedded(folder: string, timeoutMs = 2_000): Promise<Connection> {
  makeFolder(folder)
  const release = takeLock(join(folder, 'lock.json'))
  try {
    const files = join(folder, 'database')
    refuseInterruptedRestore(folder, files)
    await createEmbedded(files)
    // The files may come from an older installation or from a backup.
    makePrivate(files)
    // The optimizing compiler takes 60 MB more, and small queries are no faster.
    setFlagsFromString('--liftoff-only')
    const durableFiles = new DurableFiles(files)
    const client = await PGlite.create({
      fs: durableFiles,
      startParams: durableStartParams,
      postgresqlconf: embeddedSettings,
      // The extension is loaded from the package, not from the folder.
      extensions: { pg_trgm },
    })
    Object.assign(client.parsers, parsers)
    // It creates some of its own files readable by all users.
    makePrivate(files)
    const queue = new EmbeddedQueue(durableFiles)
    const open = (limitMs: number): Database =>
      withAfterCommit(
        drizzle(new QueuedClient(client, queue, limitMs) as unknown as PGlite, { schema }),
      )
    const requests = new QueuedClient(client, queue, timeoutMs)
    const upkeep = new Upkeep(client, queue, files)
    const stopCopies = await serveCopies(folder, upkeep)
    const query: Connection['query'] = (text, values) => requests.query(text, values)
    return {
      database: open(timeoutMs),
      background: open(backgroundTimeoutMs),
      timeoutMs,
      query,
      queryInOrder: (statements) =>
        Promise.all(statements.map(({ text, values }) => query(text, values))),
      queryPipelined: query,
      async ping() {
        await requests.query('select 1')
        await rejectFullDisk(folder)
      },
      transact: (work) =>
        queue.run(backgroundTimeoutMs, () =>
          client.transaction(async (transaction) =>
            work(
              async (statements) => (await transaction.exec(statements)).at(-1)?.rows ?? [],
              async (statement, values) =>
                (await transaction.query(statement, values)).affectedRows ?? 0,
            ),
          ),
        ),
      async executeAlone(statement) {
        await queue.run(backgroundTimeoutMs, () => client.query(statement))
      },
      async listen(receive) {
        const stop = await client.listen('plinth_changes', receive)
        return () => stop()
      },
      poolUse: () => [{ pool: 'embedded', ...queue.use }],
      storage: () => readStorage(folder),
      async close() {
        upkeep.stop()
        await stopCopies()
        // Otherwise it would write its last checkpoint.
        if (!durableFiles.hasFailed) await client.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** The part of PGlite that Drizzle uses. */
class QueuedClient {
  readonly #client: PGlite
  readonly #queue: EmbeddedQueue
  readonly #limitMs: number

  constructor(client: PGlite, queue: EmbeddedQueue, limitMs: number) {
    this.#client = client
    this.#queue = queue
    this.#limitMs = limitMs
  }

  query(text: string, values?: unknown[], options?: QueryOptions): Promise<Results> {
    return this.#queue.run(this.#limitMs, () =>
      observed(text, () => this.#client.query(text, values, withoutParsers(options))),
    )
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#queue.run(this.#limitMs, () =>
      this.#client.transaction((transaction) =>
        work({ ...transaction, query: queryIn(transaction) }),
      ),
    )
  }
}

/** Without this, the next start would create an empty database. */
function refuseInterruptedRestore(folder: string, files: string): void {
  const partial = join(folder, 'restore.partial')
  if (existsSync(files) || !existsSync(partial)) return
  throw new StartupError(
    `A restore into ${folder} was interrupted. Run npm run restore again, or delete ${partial}.`,
  )
}

const checkpointIntervalMs = 5 * 60_000

/**
 * PostgreSQL without its background processes makes no checkpoints by itself: its log would grow until
 * the process ends.
 */
class Upkeep implements CopiedDatabase {
  readonly #client: PGlite
  readonly #queue: EmbeddedQueue
  readonly #files: string
  readonly #timer: NodeJS.Timeout
  #copying = false

  constructor(client: PGlite, queue: EmbeddedQueue, files: string) {
    this.#client = client
    this.#queue = queue
    this.#files = files
    this.#timer = setInterval(() => this.#checkpointOrLog(), checkpointIntervalMs)
    this.#timer.unref()
  }

  async #checkpointOrLog(): Promise<void> {
    try {
      // A copy needs the log that a checkpoint would delete.
      if (!this.#copying) await this.#query('checkpoint')
    } catch (error) {
      log().error({ err: error }, 'checkpoint failed; the log of the database grows')
    }
  }

  async startCopy(): Promise<void> {
    this.#copying = true
    await this.#query(`select pg_backup_start('npm run backup', true)`)
  }

  endCopy(): Promise<CopyEnd> {
    return this.#queue.run(backgroundTimeoutMs, async () => {
      const { rows } = await this.#client.query<Omit<CopyEnd, 'control'>>(
        `select labelfile as label, pg_walfile_name(lsn) as "lastSegment",
           (regexp_match(labelfile, '\\(file (\\w+)\\)'))[1] as "firstSegment"
         from pg_backup_stop(false)`,
      )
      const [end] = rows
      if (!end) throw new Error('PostgreSQL has not ended the backup.')
      // Nothing else runs now, so it is not read while it is written.
      const control = readFileSync(join(this.#files, 'global', 'pg_control'), 'base64')
      return { ...end, control }
    })
  }

  copyDone(): void {
    this.#copying = false
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #query(statement: string): Promise<unknown> {
    return this.#queue.run(backgroundTimeoutMs, () => this.#client.query(statement))
  }
}

function queryIn(transaction: Transaction): Transaction['query'] {
  const isObserved = tracing() || metricsEnabled()
  return (text, values, options) => {
    const run = () => transaction.query<never>(text, values, withoutParsers(options))
    return isObserved ? observed(text, run) : run()
  }
}

const arraysOf = { numeric: 1231, timestamp: 1115, timestamptz: 1185, interval: 1187, date: 1182 }

/** Drizzle parses these itself, on PostgreSQL too. */
const parsers = Object.fromEntries(
  [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, ...Object.values(arraysOf)].map(
    (type) => [type, (text: string) => text],
  ),
)

/** Drizzle passes the same parsers with each query, and PGlite would merge them with its own each time. */
function withoutParsers(options: QueryOptions | undefined): QueryOptions {
  return options?.rowMode ? { rowMode: options.rowMode } : {}
}

/** In a span, and counted. */
function observed<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  const durations = histogram('plinth_query_duration_seconds', { pool: 'embedded' })
  const startedAt = performance.now()
  return inQuerySpan(text, run).finally(() => observeSince(durations, startedAt))
}

/** Less than PostgreSQL needs to go on: it fails when a file has to grow. */
const minFreeBytes = 1024 * 1024

async function rejectFullDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= minFreeBytes) return
  throw Object.assign(new Error(`No space left on device: ${folder}`), { code: '53100' })
}
