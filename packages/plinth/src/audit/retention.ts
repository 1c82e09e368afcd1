import { sql } from 'drizzle-orm'
import { record } from '#audit/record'
import { env } from '#config/env'
import { database, rowsOf } from '#db/client'
import { type Job, job } from '#jobs/job'
import { log } from '#log/log'
import { count } from '#metrics/metrics'

/** Adds the partitions of the next months, and drops those that AUDIT_RETENTION_DAYS does not keep. */
export async function maintainAuditEvents(
  keptDays: number | undefined,
): Promise<{ added: readonly string[]; dropped: readonly string[] }> {
  const maintained = await database().transaction(async (tx) => {
    const kept =
      keptDays === undefined ? sql`null` : sql`make_interval(days => ${keptDays}::integer)`
    // As text: the two databases return arrays differently.
    const result = await tx.execute(sql`select array_to_string(added, ' ') as added,
      array_to_string(dropped, ' ') as dropped from maintain_audit_events(${kept})`)
    const [row] = rowsOf<{ added: string; dropped: string }>(result)
    const added = row?.added.split(' ').filter(Boolean) ?? []
    const dropped = row?.dropped.split(' ').filter(Boolean) ?? []
    if (dropped.length > 0) {
      await record(tx, {
        action: 'delete_old_audit_events',
        outcome: 'success',
        ip: '',
        requestId: '',
        details: { partitions: dropped.join(', ') },
      })
    }
    return { added, dropped }
  })
  count('plinth_audit_partitions_dropped_total', {}, maintained.dropped.length)
  if (maintained.dropped.length > 0) log().info(maintained, 'old audit events deleted')
  return maintained
}

export const auditJob: Job = job({ name: 'core.audit_log', schedule: '20 2 * * *' }, async () => {
  await maintainAuditEvents(env().AUDIT_RETENTION_DAYS)
})
