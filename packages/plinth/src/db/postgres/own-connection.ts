import type { Change, Execute } from '#db/client'
import { startTimer } from '#db/deadline'
import { DatabaseTimeout } from '#db/errors'
import { type DatabaseConnection, lostConnection } from '#db/postgres/database-connection'
import type { Hosts } from '#db/postgres/hosts'
import { execute, type Rows, type Values } from '#db/postgres/transaction'

const connectTimeoutMs = 5_000
const closeTimeoutMs = 5_000

/** A large index takes hours. The lease of the migrations is lost sooner if no answer comes. */
const statementTimeoutMs = 24 * 60 * 60_000

/** A transaction on a connection of its own. */
export function transactOn<Result>(
  hosts: Hosts,
  work: (execute: Execute, change: Change) => Promise<Result>,
): Promise<Result> {
  return withConnection(hosts, async (connection) => {
    const { sql } = connection
    const execute = (statements: string, limitMs = statementTimeoutMs) =>
      connection.run(sql.unsafe<Record<string, unknown>[]>(statements), limitMs)
    // Through a pooler the role may have a limit for statements of requests.
    const begin = `begin; set local statement_timeout = ${statementTimeoutMs}`
    await execute(begin, connectTimeoutMs)
    const result = await work(
      async (statements) => [...(await execute(statements))],
      async (statement, values) =>
        (await connection.run(sql.unsafe(statement, values, one), statementTimeoutMs)).count,
    )
    await execute('commit')
    return result
  })
}

/** A pooler would give the settings of a session to others. */
export function executeOn(
  hosts: Hosts,
  statement: string,
  { pooler }: { pooler: boolean },
): Promise<void> {
  return withConnection(hosts, async (connection) => {
    if (!pooler) {
      const noLimits = connection.sql.unsafe('set statement_timeout = 0; set lock_timeout = 0')
      await connection.run(noLimits, connectTimeoutMs)
    }
    await connection.run(connection.sql.unsafe(statement, [], one), statementTimeoutMs)
  })
}

/** The protocol that takes one statement: PostgreSQL refuses several. */
const one = { prepare: false, simple: false }

async function withConnection<Result>(
  hosts: Hosts,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await hosts.connect({ prepare: false }, connectTimeoutMs)
  try {
    return await work(connection)
  } finally {
    await connection.close(closeTimeoutMs)
  }
}

/**
 * Pipelines queries on one connection without waiting for results: round trips are most of the cost
 * of a short query. A lost connection is replaced at the next query.
 */
export class SessionConnection {
  readonly #open: () => Promise<DatabaseConnection>
  readonly #limitMs: number
  #connection: DatabaseConnection | undefined
  #opening: Promise<DatabaseConnection> | undefined
  #ended = false

  constructor(open: () => Promise<DatabaseConnection>, limitMs: number) {
    this.#open = open
    this.#limitMs = limitMs
  }

  async query(
    text: string,
    values: Values,
    prepare: boolean,
  ): Promise<{ rows: Rows; connectionId: number }> {
    const startedAt = performance.now()
    const open = this.#connection?.isLost === false ? this.#connection : undefined
    const connection = open ?? (await within(this.#limitMs, this.#reconnect()))
    const remainingMs = Math.max(1, this.#limitMs - (performance.now() - startedAt))
    const rows = await execute(connection, { text, values, prepare }, false, remainingMs)
    return { rows, connectionId: connection.id }
  }

  async close(limitMs: number): Promise<void> {
    this.#ended = true
    await this.#connection?.close(limitMs)
  }

  #reconnect(): Promise<DatabaseConnection> {
    if (this.#ended) return Promise.reject(lostConnection())
    this.#opening ??= this.#open()
      .then((connection) => {
        this.#connection = connection
        if (this.#ended) void connection.close(0)
        return connection
      })
      .finally(() => {
        this.#opening = undefined
      })
    return this.#opening
  }
}

function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancelTimer = startTimer(limitMs, () => reject(new DatabaseTimeout(limitMs)))
    work.then(resolve, reject).finally(cancelTimer)
  })
}
