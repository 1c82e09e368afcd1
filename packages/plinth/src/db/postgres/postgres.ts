import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import { withAfterCommit } from '#db/after-commit'
import type { Connection, Database } from '#db/client'
import { withinDeadline } from '#db/deadline'
import type { ConnectionOptions, DatabaseConnection } from '#db/postgres/database-connection'
import { Hosts, readOnly } from '#db/postgres/hosts'
import { executeOn, SessionConnection, transactOn } from '#db/postgres/own-connection'
import { Pool } from '#db/postgres/pool'
import {
  execute,
  type PendingRows,
  pendingRows,
  type Rows,
  runTransaction,
  type Transaction,
  type Values,
} from '#db/postgres/transaction'
import * as schema from '#db/schema'

export type PostgresOptions = {
  url: string
  /** `url` is a pooler in transaction mode. */
  pooler?: boolean
  /** Bypasses a pooler, for migrations. */
  directUrl?: string | undefined
  poolSize: number
  /** For each statement that a request waits for. */
  timeoutMs?: number
}

const backgroundLimits = { poolSize: 2, timeoutMs: 60_000 }

/** Each process has these besides its pool: background work and session lookups. */
export const connectionsBesidePool = backgroundLimits.poolSize + 1
const connectTimeoutMs = 5_000
const closeTimeoutMs = 5_000

export function openPostgres({
  url,
  pooler = false,
  directUrl,
  poolSize,
  timeoutMs = 2_000,
}: PostgresOptions): Connection {
  const hosts = new Hosts(url)
  const directHosts = directUrl ? new Hosts(directUrl) : hosts
  const requests = openPool(hosts, { pool: 'requests', pooler, poolSize, timeoutMs })
  const background = openPool(hosts, { pool: 'background', pooler, ...backgroundLimits })
  const sessionOptions = optionsFor({ pool: 'sessions', pooler, timeoutMs })
  const sessions = new SessionConnection(
    () => hosts.connect(sessionOptions, connectLimit(timeoutMs)),
    timeoutMs,
  )
  const prepare = !pooler

  return {
    database: requests.database,
    background: background.database,
    timeoutMs,
    query: async (text, values) => ({
      rows: await requests.client.unsafe(text, values, { prepare }),
    }),
    queryInOrder: async (statements) => {
      const results = await requests.client.unsafeInOrder(statements, { prepare })
      return results.map((rows) => ({ rows }))
    },
    async queryPipelined(text, values) {
      const { rows, connectionId } = await sessions.query(text, values, prepare)
      return pooler ? { rows } : { rows, connectionId }
    },
    async ping() {
      const [rows] = await Promise.all([
        requests.client.check(selectReadOnly),
        sessions.query('select 1', [], false),
      ])
      const [row] = rows as { value: string }[]
      if (row?.value !== 'on') return
      hosts.suspectCurrent()
      throw readOnly('The database is read-only.')
    },
    transact: (work) => transactOn(directHosts, work),
    executeAlone: (statement) =>
      executeOn(directHosts, statement, { pooler: pooler && !directUrl }),
    poolUse: () => [
      { pool: 'requests', ...requests.pool.use },
      { pool: 'background', ...background.pool.use },
    ],
    async close() {
      hosts.close()
      directHosts.close()
      await Promise.all([
        requests.pool.end(closeTimeoutMs),
        background.pool.end(closeTimeoutMs),
        sessions.close(closeTimeoutMs),
      ])
    },
  }
}

type PoolOptions = { pool: string; pooler: boolean; poolSize: number; timeoutMs: number }

function openPool(hosts: Hosts, options: PoolOptions) {
  const { pooler, poolSize, timeoutMs } = options
  const pool = new Pool({
    size: poolSize,
    open(onDestroyed) {
      const typed = { ...optionsFor(options), typeTables: client.options }
      return hosts.connect(typed, connectLimit(timeoutMs), onDestroyed)
    },
  })
  const client = new PoolClient(pool, timeoutMs, pooler ? beginWith(timeoutMs) : 'begin')
  const database: Database = drizzle(client as unknown as Sql, { schema })
  return { pool, client, database: withAfterCommit(database) }
}

function connectLimit(timeoutMs: number): number {
  return Math.min(timeoutMs, connectTimeoutMs)
}

/**
 * A pooler in transaction mode rejects startup parameters and mixes up prepared statements. PgBouncer
 * also loses a statement that is sent before the one in front of it has ended.
 */
function optionsFor({ pool, pooler, timeoutMs }: Omit<PoolOptions, 'poolSize'>): ConnectionOptions {
  const application_name = 'plinth'
  if (pooler) return { pool, prepare: false, max_pipeline: 0, connection: { application_name } }
  return { pool, prepare: true, connection: { application_name, ...serverLimits(timeoutMs) } }
}

/**
 * Below our own limit: a statement that the server ends leaves the connection usable. A lock is given
 * up long before, so that the connections that wait for one row are soon free for others.
 */
function serverLimits(timeoutMs: number) {
  return {
    statement_timeout: Math.round(timeoutMs * 0.9),
    lock_timeout: Math.round(timeoutMs * 0.4),
    idle_in_transaction_session_timeout: timeoutMs * 5,
  }
}

function beginWith(timeoutMs: number): string {
  const settings = Object.entries(serverLimits(timeoutMs))
  return ['begin', ...settings.map(([name, value]) => `set local ${name} = ${value}`)].join('; ')
}

const selectReadOnly = `select current_setting('transaction_read_only') as value`

/** The part of postgres.js that Drizzle uses, on a pool with a limit for each statement. */
class PoolClient {
  /** Drizzle adds its own; every connection has them. */
  readonly options = { parsers: {}, serializers: {} }
  readonly #pool: Pool
  readonly #limitMs: number
  readonly #begin: string

  /** `begin` starts a transaction, with settings of its own where the pool has none. */
  constructor(pool: Pool, limitMs: number, begin: string) {
    this.#pool = pool
    this.#limitMs = limitMs
    this.#begin = begin
  }

  unsafe(text: string, values: Values, { prepare = false } = {}): PendingRows {
    return pendingRows((asArrays) =>
      this.#use((connection, remainingMs) =>
        execute(connection, { text, values, prepare }, asArrays, remainingMs),
      ),
    )
  }

  /** Sends all of them before the first result, on one connection, which runs them in order. */
  unsafeInOrder(
    statements: { text: string; values: Values }[],
    { prepare }: { prepare: boolean },
  ): Promise<Rows[]> {
    return this.#use((connection, remainingMs) =>
      Promise.all(
        statements.map(({ text, values }) =>
          execute(connection, { text, values, prepare }, false, remainingMs),
        ),
      ),
    )
  }

  begin<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return runTransaction(this.#pool, { limitMs: this.#limitMs, begin: this.#begin }, work)
  }

  /** Before all who wait: the pool is alive if one of its connections responds. */
  check(text: string): Promise<Rows> {
    return this.#use(
      (connection, remainingMs) =>
        execute(connection, { text, prepare: false }, false, remainingMs),
      true,
    )
  }

  async #use<Result>(
    work: (connection: DatabaseConnection, remainingMs: number) => Promise<Result>,
    first = false,
  ): Promise<Result> {
    return withinDeadline(this.#limitMs, async (allowedMs) => {
      const deadline = performance.now() + allowedMs
      const connection = await this.#pool.acquire(allowedMs, { first })
      try {
        return await work(connection, Math.max(1, deadline - performance.now()))
      } finally {
        this.#pool.release(connection)
      }
    })
  }
}
