import { sql } from 'drizzle-orm'
import { connection, type Database } from '#db/client'

const sweepInterval = '5 minutes'

/**
 * Deletes changes that no process still reads. The boundary moves first: a process whose last
 * snapshot is older then drops its cache.
 */
export async function deleteReadChanges(max: number): Promise<number> {
  const { query } = connection()
  await query(
    `update change_log_sweep set swept_below = next_boundary, swept_at = now(),
       next_boundary = pg_snapshot_xmin(pg_current_snapshot())
     where swept_at < now() - interval '${sweepInterval}'`,
    [],
  )
  const { rows } = await query(
    `delete from change_log where ctid = any(array(
       select ctid from change_log where xid < (select swept_below from change_log_sweep)
       order by xid limit $1)) returning 1`,
    [max],
  )
  return rows.length
}

/**
 * In a database that was restored. The numbers of transactions in the log are those of another server
 * and may be higher than all of this one. Processes that already use the database drop their cache.
 */
export async function restartChangeLog(transaction: Database): Promise<void> {
  await transaction.execute(sql`delete from change_log`)
  await transaction.execute(sql`update change_log_sweep
    set swept_below = pg_snapshot_xmin(pg_current_snapshot()),
      next_boundary = pg_snapshot_xmin(pg_current_snapshot()), swept_at = now()`)
  await transaction.execute(sql`select log_change('*')`)
}
