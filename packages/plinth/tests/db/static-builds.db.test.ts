import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { authSecrets } from '#config/env'
import { macOf } from '#db/build-mac'
import { sqlState } from '#db/errors'
import { staticBuilds, staticFiles } from '#db/schema'
import {
  deleteUnusedBuilds,
  deleteUnusedFiles,
  readBuilds,
  readStaticFile,
  storeBuild,
} from '#db/static-files'
import { testDatabase } from '#testing/database/database'
import { staticBuild } from '../support/static-build'

const db = testDatabase()

beforeEach(async () => {
  await db.database.delete(staticBuilds)
  await db.database.delete(staticFiles)
})

const shared = { 'chunks/shared.js': 'shared' }

async function age(id: string, days: number): Promise<void> {
  await db.database
    .update(staticBuilds)
    .set({ usedAt: sql`now() - ${days} * interval '1 day'` })
    .where(eq(staticBuilds.id, id))
}

/** In the order of the job. */
async function sweep(max = 500): Promise<[builds: number, files: number]> {
  return [await deleteUnusedBuilds(max), await deleteUnusedFiles(max)]
}

const counts = async () => [
  await db.database.$count(staticBuilds),
  await db.database.$count(staticFiles),
]

test('stores a build once, however many processes do', async () => {
  const build = await staticBuild({ ...shared, 'chunks/one.js': 'one' })
  await Promise.all(Array.from({ length: 4 }, () => storeBuild(build)))
  const other = await staticBuild({ ...shared, 'chunks/two.js': 'two' })
  await storeBuild(other)
  expect(await counts()).toEqual([2, 3])
  const read = await readBuilds(new Map())
  expect([...read.values()]).toEqual([other.files, build.files])
  const content = await readStaticFile(build.files['chunks/one.js'] ?? '')
  expect(content?.toString()).toBe('one')
})

test('reads the names of each build once, and of the last 20 builds only', async () => {
  const ids = Array.from({ length: 22 }, (_, index) => `build-${index}`)
  for (const [days, id] of ids.entries()) {
    const build = { id, files: { [`${id}.js`]: '00' } }
    await db.database.insert(staticBuilds).values({ ...build, mac: macOf(build) })
    await age(id, days / 10)
  }
  const first = await readBuilds(new Map())
  expect([...first.keys()]).toEqual(ids.slice(0, 20))
  const known = new Map([['build-3', { 'known.js': '11' }]])
  const second = await readBuilds(known)
  expect(second.get('build-3')).toEqual({ 'known.js': '11' })
  expect(second.get('build-4')).toEqual({ 'build-4.js': '00' })
})

test('deletes a build that was not used for a week, and the files that no other has', async () => {
  const old = await staticBuild({ ...shared, 'chunks/old.js': 'old' })
  const current = await staticBuild({ ...shared, 'chunks/current.js': 'current' })
  await storeBuild(old)
  await storeBuild(current)
  await age(old.id, 6.9)
  await sweep()
  expect(await counts()).toEqual([2, 3])
  await age(old.id, 7.1)
  await sweep()
  expect([...(await readBuilds(new Map())).keys()]).toEqual([current.id])
  expect(await readStaticFile(old.files['chunks/old.js'] ?? '')).toBeUndefined()
  expect(await readStaticFile(old.files['chunks/shared.js'] ?? '')).toBeDefined()
})

test('deletes in batches, and never a file of a build that is kept', async () => {
  const kept = await staticBuild({ ...shared, 'chunks/kept.js': 'kept' })
  await storeBuild(kept)
  for (const name of ['a', 'b', 'c']) {
    const old = await staticBuild({
      ...shared,
      [`${name}/1.js`]: `${name}1`,
      [`${name}/2.js`]: name,
    })
    await storeBuild(old)
    await age(old.id, 8)
  }
  const swept = [await sweep(2), await sweep(2), await sweep(2), await sweep(2)]
  expect(swept).toEqual([
    [2, 2],
    [1, 2],
    [0, 2],
    [0, 0],
  ])
  expect(await counts()).toEqual([1, 2])
  for (const hash of Object.values(kept.files)) expect(await readStaticFile(hash)).toBeDefined()
})

test('deletes the files of a build whose sweep was interrupted', async () => {
  const old = await staticBuild({ 'chunks/old.js': 'old' })
  await storeBuild(old)
  await age(old.id, 8)
  expect(await deleteUnusedBuilds(500)).toBe(1)
  expect(await counts()).toEqual([0, 1])
  expect(await sweep()).toEqual([0, 1])
})

test('keeps a build that a process still uses, and stores one again that was deleted', async () => {
  const build = await staticBuild({ 'chunks/app.js': 'app' })
  await storeBuild(build)
  await age(build.id, 8)
  await storeBuild(build)
  await sweep()
  expect(await counts()).toEqual([1, 1])
  await age(build.id, 8)
  await sweep()
  expect(await counts()).toEqual([0, 0])
  await storeBuild(build)
  expect(await counts()).toEqual([1, 1])
})

test('the database refuses content that does not match its hash', async () => {
  const hash = Buffer.alloc(32)
  const insert = db.database.insert(staticFiles).values({ hash, content: Buffer.from('x') })
  const state = await insert.then(() => undefined, sqlState)
  expect(state).toBe('23514')
  expect(await counts()).toEqual([0, 0])
})

test('reads only builds with a MAC of the secret or the previous one', async () => {
  const [secret = ''] = authSecrets()
  const files = { 'chunks/app.js': '00', 'chunks/a.js': '11' }
  const macs: Record<string, Buffer | null> = {
    current: macOf({ id: 'current', files }, [secret]),
    without: null,
    short: Buffer.alloc(0),
    'of another build': macOf({ id: 'current', files }, [secret]),
    'of other files': macOf({ id: 'of other files', files: {} }, [secret]),
    'of another secret': macOf({ id: 'of another secret', files }, ['another secret']),
  }
  for (const [id, mac] of Object.entries(macs)) {
    await db.database.insert(staticBuilds).values({ id, files, mac })
  }
  expect([...(await readBuilds(new Map())).keys()]).toEqual(['current'])
  const secrets = authSecrets() as string[]
  onTestFinished(() => void secrets.splice(0, 2, secret))
  secrets.splice(0, 1, 'a new secret', secret)
  expect([...(await readBuilds(new Map())).keys()]).toEqual(['current'])
  secrets.splice(1, 1)
  expect([...(await readBuilds(new Map())).keys()]).toEqual([])
})

test('a build that is used gets a MAC of the current secret, and its own files back', async () => {
  const build = await staticBuild({ 'chunks/app.js': 'app' })
  await storeBuild(build)
  for (const changed of [{ mac: null }, { files: { 'chunks/app.js': '00' } }]) {
    await db.database.update(staticBuilds).set(changed)
    expect([...(await readBuilds(new Map())).keys()]).toEqual([])
    await storeBuild(build)
    expect([...(await readBuilds(new Map())).entries()]).toEqual([[build.id, build.files]])
  }
})
