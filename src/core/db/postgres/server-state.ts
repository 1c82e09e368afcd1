import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { splitDatabaseUrl } from '@/core/config/setting-types'
import { isConnectionLost, isParameterRefusal, isReadOnly, sqlState } from '@/core/db/errors'
import { DatabaseConnection } from '@/core/db/postgres/database-connection'

export type Host = { url: string; name: string }

type Found = { host: Host; state: ServerState }

/** How long a host may take before the others are asked, or a faster one is taken. */
export const headStartMs = 250

/** Below the time in which a new primary must be found, as a host that is silent takes all of it. */
const askTimeoutMs = 2_000

/**
 * Asks all hosts beside each other and waits for all, or after the head start for the first. Of those
 * that may be used the one with the newest timeline wins, then the one that comes first.
 */
export async function findPrimary(
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

export async function readServerState(
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

/** Of the same system, before a promotion. */
export function isOlder(state: ServerState, other: ServerState | undefined): boolean {
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
