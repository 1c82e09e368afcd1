import 'server-only'
import { sql } from 'drizzle-orm'
import { singleton } from '@/core/config/singleton'
import type { Database } from '@/core/db/client'
import { isDiskFull, sqlState } from '@/core/db/errors'

const disk = singleton('database.disk', () => ({ full: false }))

/** Called with every failed statement: a database whose disk is full still answers reads. */
export function noteDiskFull(error: unknown): void {
  if (isDiskFull(error)) disk.full = true
}

/** Only after a write has failed: half a megabyte that is dropped again. Throws if it fails. */
export async function checkDisk(database: Database): Promise<void> {
  if (!disk.full) return
  await database.transaction((tx) => tx.execute(write)).catch(ignoreMissingPermission)
  disk.full = false
}

const write = sql.raw(`create temporary table plinth_disk_check on commit drop
  as select md5(number::text) from generate_series(1, 8000) as number`)

/** Without the right to write a temporary table, the next request finds out. */
function ignoreMissingPermission(error: unknown): void {
  if (sqlState(error) !== '42501') throw error
}
