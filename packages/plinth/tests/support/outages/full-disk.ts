import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import type { Fault } from './expect-outage'

const fault: Omit<Fault, 'begin'> = {
  name: 'full disk',
  fails: ['action', 'sign-in', 'health'],
  succeeds: ['API route', 'page account', 'session by cookie', 'session by bearer'],
}

export const embeddedDiskFull = (folder: string): Fault => ({
  ...fault,
  name: 'full disk, embedded',
  // The others may still find free pages.
  fails: ['large action', 'health'],
  async begin() {
    const filler = fill(folder)
    return async () => rmSync(filler)
  },
})

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

/** Until a table has to grow, writes succeed on a full disk. Rows that failed stay as dead ones. */
async function consumeFreePages(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`do $$ begin
    for attempt in 1..400 loop
      begin
        insert into audit_events (action, outcome) values ('fill', 'success');
      exception when disk_full then null;
      end;
      begin
        insert into sessions (token_hash, user_id, expires_at)
          select sha256(random()::text::bytea), id, now() + interval '1 day' from users
            where email = 'admin@example.com';
      exception when disk_full then null;
      end;
    end loop;
  end $$`)
}
