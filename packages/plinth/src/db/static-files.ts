import { and, desc, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import { hasValidMac, macOf } from '#db/build-mac'
import { database } from '#db/client'
import { staticBuilds, staticFiles } from '#db/schema'
import { log } from '#log/log'

export type Build = {
  id: string
  /** Hashes in hexadecimal, by the path below `/_next/static/`. */
  files: Readonly<Record<string, string>>
  read(name: string): Promise<Buffer>
}

/** Stores what is not stored yet, and marks the build as used. Any number of processes may do so. */
export async function storeBuild(build: Build): Promise<void> {
  if (await markUsed(build)) return
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
    const { id, files } = build
    const set = { files, mac: macOf(build), usedAt: sql`now()` }
    await tx
      .insert(staticBuilds)
      .values({ id, ...set })
      .onConflictDoUpdate({ target: staticBuilds.id, set })
  })
}

/** Returns whether the build is stored. Its files then are too. The MAC has the current secret. */
async function markUsed(build: Build): Promise<boolean> {
  const { id, files } = build
  const updated = await database()
    .update(staticBuilds)
    .set({ usedAt: sql`now()`, mac: macOf(build) })
    .where(and(eq(staticBuilds.id, id), eq(staticBuilds.files, files)))
    .returning({ id: staticBuilds.id })
  return updated.length > 0
}

/** Hashes in hexadecimal, by the path below `/_next/static/`. */
export type BuildFiles = Readonly<Record<string, string>>

const maxBuilds = 20

/**
 * The last builds, the most recently used first, without those that have no valid MAC. The files of a
 * build never change, so those that are known are not read again.
 */
export async function readBuilds(
  known: ReadonlyMap<string, BuildFiles>,
): Promise<Map<string, BuildFiles>> {
  const isKnown = inArray(staticBuilds.id, [...known.keys()])
  const unknownFiles = sql`case when ${isKnown} then null else ${staticBuilds.files} end`
  const rows = await database()
    .select({
      id: staticBuilds.id,
      files: unknownFiles.mapWith(staticBuilds.files),
      mac: staticBuilds.mac,
    })
    .from(staticBuilds)
    .orderBy(desc(staticBuilds.usedAt), staticBuilds.id)
    .limit(maxBuilds)
  const valid = rows.flatMap(({ id, files, mac }) => {
    const found = known.get(id)
    if (found) return [[id, found] as const]
    return hasValidMac({ id, files }, mac) ? [[id, files] as const] : refuseBuild(id)
  })
  return new Map(valid)
}

const maxReported = 100
const reported = new Set<string>()

/** Its line is written once. */
function refuseBuild(id: string): [] {
  if (reported.has(id) || reported.size >= maxReported) return []
  reported.add(id)
  const build = id.slice(0, 64)
  log().warn({ build }, 'static files of a build are not served: no MAC of this AUTH_SECRET')
  return []
}

/** Undefined if it is not stored. */
export async function readStaticFile(hash: string): Promise<Buffer | undefined> {
  const [file] = await database()
    .select({ content: staticFiles.content })
    .from(staticFiles)
    .where(eq(staticFiles.hash, Buffer.from(hash, 'hex')))
  return file?.content
}

const keptDays = 7

/** Deletes builds that no process used for a week. Their files are deleted next, unless others have them. */
export async function deleteUnusedBuilds(max: number): Promise<number> {
  const unused = database()
    .select({ id: staticBuilds.id })
    .from(staticBuilds)
    .where(lt(staticBuilds.usedAt, sql`now() - ${keptDays} * interval '1 day'`))
    .limit(max)
    .for('update', { skipLocked: true })
  const deleted = await database()
    .delete(staticBuilds)
    .where(inArray(staticBuilds.id, unused))
    .returning({ id: staticBuilds.id })
  return deleted.length
}

/** Deletes files that no build has. Builds go first: a build that is stored has all of its files. */
export async function deleteUnusedFiles(max: number): Promise<number> {
  const users = sql`(select from ${staticBuilds}, jsonb_each_text(${staticBuilds.files}) as file
    where file.value = encode(${staticFiles.hash}, 'hex'))`
  const unused = notExists(users)
  // Most sweeps find none, and need not wait for a build that is being stored.
  if ((await database().$count(staticFiles, unused)) === 0) return 0
  return database().transaction(async (tx) => {
    await tx.execute(lockStaticFiles)
    const batch = tx.select({ hash: staticFiles.hash }).from(staticFiles).where(unused).limit(max)
    const deleted = await tx
      .delete(staticFiles)
      .where(inArray(staticFiles.hash, batch))
      .returning({ hash: staticFiles.hash })
    return deleted.length
  })
}

/** Held until the transaction ends. Reads do not need it. */
const lockStaticFiles = sql`select pg_advisory_xact_lock(hashtextextended('plinth.static-files', 0))`
