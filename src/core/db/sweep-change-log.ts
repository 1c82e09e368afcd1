import 'server-only'
import { connection } from '@/core/db/client'

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
