import 'server-only'
import { splitDatabaseUrl } from '@/core/config/setting-types'
import { startTimer } from '@/core/db/clock'
import {
  type ConnectionOptions,
  DatabaseConnection,
  lostConnection,
} from '@/core/db/postgres/database-connection'
import {
  findPrimary,
  type Host,
  headStartMs,
  isOlder,
  readServerState,
  type ServerState,
} from '@/core/db/postgres/server-state'
import { log } from '@/core/log/log'

const retryMs = 500

/**
 * Opens connections to the one host of a database URL that takes writes. It stays at that host until
 * a connection is lost or slow to open. Then it asks all hosts, and if another one is the primary, the
 * connections to the former one are destroyed.
 */
export class Hosts {
  readonly #hosts: readonly Host[]
  readonly #mustTakeWrites: boolean
  readonly #connections = new Map<DatabaseConnection, Host>()
  #current: Host
  #inDoubt: boolean
  #finding: Promise<Host> | undefined
  #newest: ServerState | undefined
  #retry: NodeJS.Timeout | undefined
  #ended = false

  constructor(url: string) {
    const { urls, mustTakeWrites } = splitDatabaseUrl(url)
    this.#hosts = urls.map((each) => ({ url: each, name: new URL(each).host }))
    this.#mustTakeWrites = mustTakeWrites
    this.#current = this.#hosts[0] as Host
    this.#inDoubt = this.#hosts.length > 1
  }

  /** Resolves with a connection that has responded and, where that is required, takes writes. */
  async connect(
    options: ConnectionOptions,
    limitMs: number,
    onDestroyed: (connection: DatabaseConnection) => void = () => {},
  ): Promise<DatabaseConnection> {
    const deadline = performance.now() + limitMs
    const establish = (host: Host) => {
      const remainingMs = Math.max(headStartMs, deadline - performance.now())
      return this.#establish(host, options, remainingMs, onDestroyed)
    }
    const host = await this.#find()
    return establish(host).catch(async (error) => {
      const mayHelp = this.#hosts.length > 1 && performance.now() < deadline
      if (!mayHelp) throw error
      return establish(await this.#find())
    })
  }

  /** The host of the open connections may not be the primary any more. */
  suspectCurrent(): void {
    this.#suspect(this.#current)
  }

  close(): void {
    this.#ended = true
  }

  async #establish(
    host: Host,
    options: ConnectionOptions,
    limitMs: number,
    onDestroyed: (connection: DatabaseConnection) => void,
  ): Promise<DatabaseConnection> {
    const connection = new DatabaseConnection(host.url, options, () => {
      this.#connections.delete(connection)
      if (!connection.isClosed) this.#suspect(host)
      onDestroyed(connection)
    })
    this.#connections.set(connection, host)
    const cancelTimer = startTimer(headStartMs, () => this.#suspect(host))
    try {
      if (this.#mustTakeWrites) this.#accept(await readServerState(connection, limitMs))
      else await connection.run(connection.sql`select 1`, limitMs)
      if (host !== this.#current) throw lostConnection()
      return connection
    } catch (error) {
      connection.destroy(error)
      throw error
    } finally {
      cancelTimer()
    }
  }

  /**
   * Asks all hosts until one is found, also without a caller that waits: otherwise each idle
   * connection to a silent host would cost one more caller the whole limit.
   */
  #suspect(host: Host): void {
    if (this.#hosts.length === 1 || host !== this.#current || this.#ended) return
    this.#inDoubt = true
    this.#find().catch(() => {
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        if (this.#inDoubt) this.suspectCurrent()
      }, retryMs).unref()
    })
  }

  #find(): Promise<Host> {
    if (!this.#inDoubt) return Promise.resolve(this.#current)
    this.#finding ??= this.#askAll().finally(() => {
      this.#finding = undefined
    })
    return this.#finding
  }

  async #askAll(): Promise<Host> {
    const others = this.#hosts.filter((host) => host !== this.#current)
    const { host, state } = await findPrimary([this.#current, ...others], (state) =>
      this.#rejectUnusable(state),
    )
    this.#accept(state)
    this.#moveTo(host)
    return host
  }

  #moveTo(host: Host): void {
    this.#inDoubt = false
    if (host === this.#current) return
    this.#current = host
    log().info({ host: host.name }, 'connecting to another host of the database')
    for (const [connection, its] of [...this.#connections]) {
      if (its !== host) connection.destroy(lostConnection())
    }
  }

  #accept(state: ServerState): void {
    this.#rejectUnusable(state)
    if (state.system) this.#newest = state
  }

  #rejectUnusable(state: ServerState): void {
    if (!this.#mustTakeWrites) return
    if (state.readOnly) throw readOnly('The database is read-only.')
    if (isOlder(state, this.#newest)) throw readOnly('This server was the primary before another.')
  }
}

export function readOnly(message: string): Error {
  return Object.assign(new Error(message), { code: '25006' })
}
