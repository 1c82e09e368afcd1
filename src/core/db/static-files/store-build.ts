import 'server-only'
import { eq, inArray, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { staticBuilds, staticFiles } from '@/core/db/schema'
import { lockStaticFiles } from '@/core/db/static-files/lock'

export type Build = {
  id: string
  /** Hashes in hexadecimal, by the path below `/_next/static/`. */
  files: Readonly<Record<string, string>>
  read(name: string): Promise<Buffer>
}

/** Stores what is not stored yet, and marks the build as used. Any number of processes may do so. */
export async function storeBuild(build: Build): Promise<void> {
  if (await markUsed(build.id)) return
  await database().transaction(async (tx) => {
    // Otherwise the sweep could delete a file that is found here and not yet named by the build.
    await tx.execute(lockStaticFiles)
    const names = new Map(Object.entries(build.files).map(([name, hash]) => [hash, name]))
    const hashes = [...names.keys()].map((hash) => Buffer.from(hash, 'hex'))
    const stored = await tx
      .select({ hash: staticFiles.hash })
      .from(staticFiles)
      .where(inArray(staticFiles.hash, hashes))
    for (const { hash } of stored) names.delete(hash.toString('hex'))
    for (const [hash, name] of names) {
      const content = await build.read(name)
      await tx.insert(staticFiles).values({ hash: Buffer.from(hash, 'hex'), content })
    }
    await tx
      .insert(staticBuilds)
      .values({ id: build.id, files: build.files })
      .onConflictDoUpdate({ target: staticBuilds.id, set: { usedAt: sql`now()` } })
  })
}

/** Returns whether the build is stored. Its files then are too. */
async function markUsed(id: string): Promise<boolean> {
  const updated = await database()
    .update(staticBuilds)
    .set({ usedAt: sql`now()` })
    .where(eq(staticBuilds.id, id))
    .returning({ id: staticBuilds.id })
  return updated.length > 0
}
