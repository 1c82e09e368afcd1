import 'server-only'
import { lt, notInArray, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { staticBuilds, staticFiles } from '@/core/db/schema'
import { lockStaticFiles } from '@/core/db/static-files/lock'

const keptDays = 7

/** Deletes the builds that no process has used for a week, and the files that no other build has. */
export async function deleteUnusedBuilds(): Promise<void> {
  const unused = lt(staticBuilds.usedAt, sql`now() - ${keptDays} * interval '1 day'`)
  if ((await database().$count(staticBuilds, unused)) === 0) return
  await database().transaction(async (tx) => {
    await tx.execute(lockStaticFiles)
    await tx.delete(staticBuilds).where(unused)
    const used = sql`(select decode(file.value, 'hex') from ${staticBuilds}, jsonb_each_text(${staticBuilds.files}) as file)`
    await tx.delete(staticFiles).where(notInArray(staticFiles.hash, used))
  })
}
