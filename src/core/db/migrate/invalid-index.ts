import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '@/core/db/client'

const buildsIndex =
  /^(?:\s*--[^\n]*\n)*\s*create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)\s+on\b/i

const pollMs = 500

/**
 * An interrupted concurrent build leaves an index that no query uses and every write updates, and
 * `if not exists` would keep it.
 */
export async function dropInvalidIndex(connection: Connection, statement: string): Promise<void> {
  const name = builtIndex(statement)
  if (name === undefined) return
  // The process that started it has died, but the server may still build it.
  while ((await readState(connection, name)) === 'building') await pause(pollMs)
  if ((await readState(connection, name)) === 'invalid') {
    await connection.executeAlone(`drop index concurrently if exists ${name}`)
  }
}

export async function requireValidIndex(connection: Connection, statement: string): Promise<void> {
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
