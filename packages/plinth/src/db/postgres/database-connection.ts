import { connect, isIP, Socket } from 'node:net'
import type { Options, Sql } from 'postgres'
import postgres from 'postgres'
import { startTimer } from '#db/deadline'
import { DatabaseTimeout, isConnectionLost, isReadOnly } from '#db/errors'
import { noteDiskFull } from '#db/health'
import { secureSocket, type TlsOptions, tlsOptionsOf } from '#db/postgres/secure-socket'
import { type Histogram, histogram, observeSince } from '#metrics/metrics'

export type ConnectionOptions = Partial<Options<Record<string, never>>> & {
  /** Beside those of the driver. */
  typeTables?: TypeTables
  /** The owner of the connection, for the metrics. */
  pool?: string
  /** How many queries are sent before the one in front of them has ended. */
  max_pipeline?: number
}

type TypeTable = Record<string, unknown>

export type TypeTables = { parsers: TypeTable; serializers: TypeTable }

/** The internal options of postgres.js that are used here. */
type DriverOptions = TypeTables & {
  host: string[]
  port: number[]
  path: string | false
}

/**
 * One connection with a limit for each query. postgres.js does not close the socket of a silent
 * server, so the socket is ours: after a missed limit it is destroyed, and the connection with it.
 */
export class DatabaseConnection {
  static #opened = 0
  readonly id = ++DatabaseConnection.#opened
  readonly openedAt = performance.now()
  readonly sql: Sql
  readonly #durations: Histogram | undefined
  readonly #running = new Set<(error: unknown) => void>()
  readonly #closing: (() => void)[] = []
  readonly #onDestroyed: () => void
  #socket: Socket | undefined
  #lost: unknown
  #closed = false

  constructor(
    url: string,
    { typeTables, pool = 'other', ...options }: ConnectionOptions,
    onDestroyed: () => void = () => {},
  ) {
    this.#onDestroyed = onDestroyed
    this.#durations = histogram('plinth_query_duration_seconds', { pool })
    this.sql = postgres(url, {
      ...options,
      ...addressOptions(url),
      ssl: false,
      max: 1,
      max_lifetime: null,
      backoff: false,
      // An unhandled rejection, which ends the process, if the connection is lost meanwhile.
      fetch_types: false,
      onnotice: () => {},
      onclose: () => this.destroy(lostConnection()),
      socket: (driver: DriverOptions) => this.#openSocket(driver, tlsOptionsOf(url)),
    } as ConnectionOptions)
    if (typeTables) this.#addTypes(typeTables)
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** True when we closed the connection ourselves. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** Rejects at the limit at the latest. */
  run<Result>(query: PromiseLike<Result>, limitMs: number): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#lost) return reject(this.#lost)
      const cancelTimer = startTimer(limitMs, () => this.destroy(new DatabaseTimeout(limitMs)))
      this.#running.add(reject)
      const startedAt = performance.now()
      const settle = () => {
        cancelTimer()
        observeSince(this.#durations, startedAt)
        this.#running.delete(reject)
      }
      query.then(
        (result) => {
          settle()
          resolve(result)
        },
        (error) => {
          settle()
          reject(error)
          noteDiskFull(error)
          // The server may have been demoted.
          if (isConnectionLost(error) || isReadOnly(error)) this.destroy(error)
        },
      )
    })
  }

  /** Everything that runs or waits on this connection fails with the error. */
  destroy(error: unknown): void {
    if (this.#lost) return
    this.#lost = error
    for (const reject of this.#running) reject(error)
    this.#running.clear()
    this.#socket?.destroy()
    for (const resolve of this.#closing) resolve()
    this.#onDestroyed()
  }

  /** Waits for what runs, up to the limit. */
  async close(limitMs: number): Promise<void> {
    if (this.#lost) return
    this.#closed = true
    const ended = this.sql.end({ timeout: limitMs / 1000 }).catch(() => {})
    await Promise.race([ended, new Promise<void>((resolve) => this.#closing.push(resolve))])
    this.destroy(lostConnection())
  }

  #addTypes({ parsers, serializers }: TypeTables): void {
    const options = this.sql.options as unknown as TypeTables
    Object.assign(options.parsers, parsers)
    Object.assign(options.serializers, serializers)
  }

  /**
   * It need not be connected yet: the first bytes wait in it. The driver reconnects when a server
   * closes the connection before it has responded; then it gets a socket that fails.
   */
  async #openSocket(
    { host, port, path }: DriverOptions,
    tls: TlsOptions | undefined,
  ): Promise<Socket> {
    if (this.#socket) {
      this.destroy(lostConnection())
      return failingSocket(this.#lost as Error)
    }
    const name = host[0] ?? 'localhost'
    this.#socket = path ? connect(path) : connect(port[0] ?? 5432, name)
    if (!tls) return this.#socket
    try {
      this.#socket = await secureSocket(this.#socket, name, tls)
    } catch (error) {
      this.destroy(error)
      throw error
    }
    // It may have been destroyed while the server was asked.
    if (this.#lost) this.#socket.destroy()
    return this.#socket
  }
}

/** Fails after the driver has had the time to listen. */
function failingSocket(error: Error): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy(error))
  return socket
}

export function lostConnection(): Error {
  return Object.assign(new Error('The connection to the database was closed.'), {
    code: 'CONNECTION_CLOSED',
  })
}

/** The driver misreads an IP address of version 6, with its brackets. */
function addressOptions(url: string): Record<string, unknown> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) ? { host: [host], port: [Number(port) || 5432] } : {}
}
