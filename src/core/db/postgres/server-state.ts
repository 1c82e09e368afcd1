import 'server-only'
import { isConnectionLost, sqlState } from '@/core/db/errors'
import { DatabaseConnection } from '@/core/db/postgres/database-connection'

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
