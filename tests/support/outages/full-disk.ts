import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import type { Fault } from './expect-outage'

const fault: Omit<Fault, 'begin'> = {
  name: 'full disk',
  fails: ['health'],
  succeeds: ['API route', 'page account', 'session by cookie', 'session by bearer'],
}

/** `write` sends a request that stores something and resolves with its status. */
export const embeddedDiskFull = (folder: string, write: () => Promise<number>): Fault => ({
  ...fault,
  name: 'full disk, embedded',
  async begin() {
    const filler = fill(folder)
    await untilUnavailable(write)
    return async () => rmSync(filler)
  },
})

/** Until a table has to grow, writes succeed on a full disk. */
async function untilUnavailable(write: () => Promise<number>): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    const statuses = await Promise.all(Array.from({ length: 5 }, write))
    if (statuses.includes(503)) return
  }
  throw new Error('Writes succeed, although the disk is full.')
}

export const diskFull = (folder: string, sql: postgres.Sql): Fault => ({
  ...fault,
  async begin() {
    // A new segment of the write-ahead log, already allocated: without one PostgreSQL would crash.
    await sql`select pg_switch_wal()`
    await sql`create table wal_segment ()`
    await sql`checkpoint`
    const filler = fill(folder)
    await consumeFreePages(sql)
    return async () => rmSync(filler)
  },
})

function fill(folder: string): string {
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(4096)
  try {
    for (;;) writeSync(file, page)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return path
}

/** The rows of a failed insert stay dead. */
async function consumeFreePages(sql: postgres.Sql): Promise<void> {
  const inserts = [
    sql`insert into audit_events (action, outcome)
      select 'fill', 'success' from generate_series(1, 1000000)`,
    sql`insert into sessions (token_hash, user_id, expires_at)
      select sha256(n::text::bytea), (select id from users limit 1), now() + interval '1 day'
      from generate_series(1, 1000000) n`,
  ]
  for (const insert of inserts) {
    const failure = await insert.then(
      () => undefined,
      ({ code }: { code?: string }) => code,
    )
    if (failure !== '53100') throw new Error(`The disk is not full: ${failure}`)
  }
}
