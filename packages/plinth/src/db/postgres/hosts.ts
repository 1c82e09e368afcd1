import { setTimeout as pause } from 'node:timers/promises'
import { splitDatabaseUrl } from '#config/setting-types'
import { startTimer } from '#db/deadline'
import { isConnectionLost, isReadOnly, sqlState } from '#db/errors'
import { isParameterRefusal } from '#db/explain-errors'
import {
  type ConnectionOptions,
  DatabaseConnection,
  lostConnection,
} from '#db/postgres/database-connection'
import { log } from '#log/log'

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

export type Host = { url: string; name: string }

type Found = { host: Host; state: ServerState }

/** How long a host may take before the others are asked, or a faster one is taken. */
const headStartMs = 250

/** Below the time in which a new primary must be found, as a host that is silent takes all of it. */
const askTimeoutMs = 2_000

/**
 * Asks all hosts beside each other and waits for all, or after the head start for the first. Of those
 * that may be used the one with the newest timeline wins, then the one that comes first.
 */
async function findPrimary(
  hosts: readonly Host[],
  rejectUnusable: (state: ServerState) => void,
): Promise<Found> {
  const found: Found[] = []
  const asked = hosts.map(async (host) => {
    const state = await askServer(host.url, askTimeoutMs)
    rejectUnusable(state)
    found.push({ host, state })
  })
  const all = Promise.allSettled(asked)
  const soon = pause(headStartMs).then(() => Promise.any(asked).catch(() => all))
  await Promise.race([all, soon])
  found.sort((a, b) => hosts.indexOf(a.host) - hosts.indexOf(b.host))
  const best = found.find(({ state }) => !found.some((other) => isOlder(state, other.state)))
  if (!best) throw failureOf(await all)
  return best
}

/** A host that takes no writes says less than one that should and cannot be reached. */
function failureOf(results: PromiseSettledResult<unknown>[]): unknown {
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  return reasons.find((reason) => !isReadOnly(reason)) ?? reasons[0]
}

/** Each promotion raises the timeline of a system, so the primary with a lower one is a former one. */
export type ServerState = { readOnly: boolean; system: string; timeline: number }

const selectReadOnly = `select current_setting('transaction_read_only') = 'on' as "readOnly"`

const selectState = `
  ${selectReadOnly},
    (select system_identifier::text from pg_control_system()) as system,
    case when pg_is_in_recovery() then 0
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
    end as timeline`

async function readServerState(
  connection: DatabaseConnection,
  limitMs: number,
): Promise<ServerState> {
  const read = async (text: string) => {
    const [row] = await connection.run(connection.sql.unsafe<ServerState[]>(text), limitMs)
    return { system: '', timeline: 0, ...row } as ServerState
  }
  return read(selectState).catch((error) => {
    if (isConnectionLost(error) || !sqlState(error)) throw error
    // Some managed services have no WAL that a client may ask about.
    return read(selectReadOnly)
  })
}

/** On a connection of its own. */
export async function askServer(url: string, limitMs: number): Promise<ServerState> {
  const connection = new DatabaseConnection(url, {
    prepare: false,
    connection: { application_name: 'plinth' },
  })
  try {
    return await readServerState(connection, limitMs)
  } finally {
    void connection.close(limitMs)
  }
}

/** True for a state of the same system before a promotion. */
function isOlder(state: ServerState, other: ServerState | undefined): boolean {
  return other !== undefined && state.system === other.system && state.timeline < other.timeline
}

const limitMs = 5_000

/** A pooler in transaction mode refuses or ignores startup parameters; PostgreSQL does neither. */
export async function isPooler(url: string): Promise<boolean> {
  const asked = splitDatabaseUrl(url).urls.map(ignoresParameters)
  return Promise.any(asked).catch(({ errors: [first] }: AggregateError) => {
    throw first
  })
}

async function ignoresParameters(url: string): Promise<boolean> {
  const connection = new DatabaseConnection(url, {
    prepare: false,
    // A name that neither the URL nor the role sets.
    connection: { application_name: 'plinth', 'plinth.direct': 'on' },
  })
  const select = `select current_setting('plinth.direct', true) as direct`
  try {
    const [row] = await connection.run(connection.sql.unsafe(select), limitMs)
    return row?.direct !== 'on'
  } catch (error) {
    if (isParameterRefusal(error)) return true
    throw error
  } finally {
    void connection.close(limitMs)
  }
}
