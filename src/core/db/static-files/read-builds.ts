import 'server-only'
import { desc, eq, inArray, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { staticBuilds, staticFiles } from '@/core/db/schema'

/** Hashes in hexadecimal, by the path below `/_next/static/`. */
export type BuildFiles = Readonly<Record<string, string>>

const maxBuilds = 20

/** The last builds, the most recently used first. The files of a build never change, so those that are known are not read again. */
export async function readBuilds(
  known: ReadonlyMap<string, BuildFiles>,
): Promise<Map<string, BuildFiles>> {
  const isKnown = inArray(staticBuilds.id, [...known.keys()])
  const unknownFiles = sql`case when ${isKnown} then null else ${staticBuilds.files} end`
  const rows = await database()
    .select({ id: staticBuilds.id, files: unknownFiles.mapWith(staticBuilds.files) })
    .from(staticBuilds)
    .orderBy(desc(staticBuilds.usedAt), staticBuilds.id)
    .limit(maxBuilds)
  return new Map(rows.map(({ id, files }) => [id, files ?? known.get(id) ?? {}]))
}

/** Undefined if it is not stored. */
export async function readStaticFile(hash: string): Promise<Buffer | undefined> {
  const [file] = await database()
    .select({ content: staticFiles.content })
    .from(staticFiles)
    .where(eq(staticFiles.hash, Buffer.from(hash, 'hex')))
  return file?.content
}
