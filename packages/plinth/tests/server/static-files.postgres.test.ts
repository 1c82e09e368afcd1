import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { macOf } from '#db/build-mac'
import { staticBuilds, staticFiles } from '#db/schema'
import {
  deleteUnusedBuilds,
  deleteUnusedFiles,
  readBuilds,
  readStaticFile,
  storeBuild,
} from '#db/static-files'
import {
  fileLoader,
  keptFiles,
  otherBuilds,
  readOwnBuild,
  sha256,
} from '#server/static-files/builds'
import { serveStaticFiles } from '#server/static-files/serve-static-files'
import { testDatabase } from '#testing/database/database'
import { captureLog } from '../support/log'
import { staticBuild, staticFolder, temporaryFolder } from '../support/static-build'

const db = testDatabase()

beforeEach(async () => {
  await db.database.delete(staticBuilds)
  await db.database.delete(staticFiles)
})

type Options = { dataDir?: string; builds?: ReturnType<typeof otherBuilds> }

/** Serves the files of other builds; 404 stands for what Next would respond with. */
async function serve({ dataDir = temporaryFolder(), builds = otherBuilds() }: Options = {}) {
  const files = serveStaticFiles({ ownNames: new Set(['chunks/own.js']), dataDir, builds })
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    try {
      const done = files.mayHave(path) && (await files.respond(request, response))
      if (!done) response.writeHead(404).end()
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo

  return async (name: string, { method = 'GET', headers = {} } = {}) => {
    const path = `/_next/static/${name}`
    const request = sendRequest({ port, path, method, headers, agent: false }).end()
    const [response] = await once(request, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
  }
}

const script = `console.log("${'x'.repeat(2000)}")`
const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff])

test('serves the files of another build, with the headers of an own file', async () => {
  const name = 'chunks/app/[slug]/page-1.js'
  const build = await staticBuild({ [name]: script, 'media/logo.png': image })
  await storeBuild(build)
  const get = await serve()

  const plain = await get(`${name}?dpl=1`)
  expect(plain).toMatchObject({ status: 200, body: Buffer.from(script) })
  expect(plain.headers).toMatchObject({
    'content-type': 'application/javascript; charset=UTF-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'content-length': String(script.length),
  })
  const encoded = await get(encodeURI(name), { headers: { 'accept-encoding': 'gzip, br' } })
  expect(encoded.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(encoded.body).toString()).toBe(script)

  const picture = await get('media/logo.png', { headers: { 'accept-encoding': 'gzip' } })
  expect(picture).toMatchObject({ status: 200, body: image })
  expect(picture.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '6' })

  const head = await get(name, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, body: Buffer.alloc(0) })
  const headers = { 'if-none-match': String(plain.headers.etag) }
  expect(await get(name, { headers })).toMatchObject({ status: 304, body: Buffer.alloc(0) })
  expect((await get(name, { method: 'POST' })).status).toBe(404)
})

test('keeps a file on disk, for this user only, and does not read it from the database again', async () => {
  const build = await staticBuild({ 'chunks/app.js': script })
  await storeBuild(build)
  const dataDir = temporaryFolder()
  const get = await serve({ dataDir })
  await get('chunks/app.js')
  const hash = build.files['chunks/app.js'] ?? ''
  const path = join(dataDir, 'static', hash)
  expect(readdirSync(join(dataDir, 'static'))).toEqual([hash])
  const modes = [join(dataDir, 'static'), path].map((file) => statSync(file).mode & 0o777)
  expect(modes).toEqual([0o700, 0o600])

  await db.database.delete(staticFiles)
  expect((await get('chunks/app.js')).body.toString()).toBe(script)
})

test('a file that was changed on disk is read from the database again', async () => {
  const build = await staticBuild({ 'chunks/app.js': script })
  await storeBuild(build)
  const dataDir = temporaryFolder()
  const path = join(dataDir, 'static', build.files['chunks/app.js'] ?? '')
  mkdirSync(join(dataDir, 'static'))
  writeFileSync(path, 'alert(1)')
  const get = await serve({ dataDir })
  expect((await get('chunks/app.js')).body.toString()).toBe(script)
  expect(readFileSync(path, 'utf8')).toBe(script)
})

test('does not serve content that was changed in the database, and logs it once', async () => {
  const build = await staticBuild({ 'chunks/app.js': script })
  await storeBuild(build)
  await db.database.execute(sql`alter table static_files drop constraint static_files_hash_matches`)
  onTestFinished(async () => {
    await db.database.delete(staticFiles)
    await db.database.execute(
      sql`alter table static_files add constraint static_files_hash_matches check (hash = sha256(content))`,
    )
  })
  await db.database.update(staticFiles).set({ content: Buffer.from('alert(1)') })
  const dataDir = temporaryFolder()
  const lines = captureLog()
  const get = await serve({ dataDir })
  const statuses = [await get('chunks/app.js'), await get('chunks/app.js')].map((r) => r.status)
  expect(statuses).toEqual([404, 404])
  expect(lines()).toEqual([
    expect.objectContaining({ level: 'error', sha256: build.files['chunks/app.js'] }),
  ])
  expect(readdirSync(join(dataDir, 'static'))).toEqual([])
})

test('stores and serves only known types, and no name that leads elsewhere', async () => {
  const secret = '-----BEGIN PRIVATE KEY-----'
  const build = await staticBuild({
    'chunks/app.js': script,
    'chunks/app.js.map': secret,
    'page.html': secret,
    plain: secret,
  })
  expect(Object.keys(build.files)).toEqual(['chunks/app.js'])
  const hash = sha256(secret)
  await db.database
    .insert(staticFiles)
    .values({ hash: Buffer.from(hash, 'hex'), content: Buffer.from(secret) })
  const names = ['chunks/app.js.map', 'page.html', 'plain', '../../.env.js', '..\\a.js', 'a//b.js']
  const files = Object.fromEntries([...names, '__proto__', 'toString'].map((name) => [name, hash]))
  const dataDir = staticFolder({ 'secret.txt': secret })
  const invalid = { 'chunks/a.js': '../secret.txt', 'chunks/b.js': '' }
  const hostile = { id: 'hostile', files: { ...files, ...invalid } }
  await db.database.insert(staticBuilds).values({ ...hostile, mac: macOf(hostile) })
  const get = await serve({ dataDir })
  for (const name of [...Object.keys(files), ...Object.keys(invalid)]) {
    expect([name, (await get(encodeURIComponent(name))).status]).toEqual([name, 404])
  }
  expect(readFileSync(join(dataDir, 'secret.txt'), 'utf8')).toBe(secret)
})

test('serves no file that the database names without a MAC, and says so once', async () => {
  const build = await staticBuild({ 'chunks/app.js': script })
  await storeBuild(build)
  await db.database.update(staticBuilds).set({ mac: null })
  const lines = captureLog()
  const get = await serve()
  expect((await get('chunks/app.js')).status).toBe(404)
  expect((await get('chunks/app.js')).status).toBe(404)
  expect(lines()).toEqual([expect.objectContaining({ level: 'warn', build: build.id })])
})

test('finds a build that was stored after the names were read', async () => {
  await storeBuild(await staticBuild({ 'chunks/first.js': script }))
  const get = await serve()
  expect((await get('chunks/later.js')).status).toBe(404)
  await storeBuild(await staticBuild({ 'chunks/later.js': script }))
  expect((await get('chunks/later.js')).status).toBe(200)
  expect((await get('chunks/first.js')).status).toBe(200)
})

test('unknown names cost one read of the names a second, and known ones none', async () => {
  const read = vi.fn(readBuilds)
  await storeBuild(await staticBuild({ 'chunks/known.js': script }))
  const get = await serve({ builds: otherBuilds({ read }) })
  const startedAt = performance.now()
  const random = Array.from({ length: 100 }, () => `chunks/${crypto.randomUUID()}.js`)
  const statuses = await Promise.all(random.map(async (name) => (await get(name)).status))
  expect(new Set(statuses)).toEqual(new Set([404]))
  const seconds = (performance.now() - startedAt) / 1000
  const reads = read.mock.calls.length
  expect(reads).toBeLessThanOrEqual(1 + Math.ceil(seconds))
  expect((await get('chunks/known.js')).status).toBe(200)
  expect((await get('chunks/own.js')).status).toBe(404)
  expect((await get('chunks/no-such-type.exe')).status).toBe(404)
  expect(read).toHaveBeenCalledTimes(reads)
})

test('a miss does not count on a read that started before it', async () => {
  const finishRead: (() => void)[] = []
  const { find } = otherBuilds({
    intervalMs: 0,
    async read(known) {
      const builds = await readBuilds(known)
      await new Promise<void>((resolve) => finishRead.push(resolve))
      return builds
    },
  })
  const first = find('chunks/late.js')
  await vi.waitFor(() => expect(finishRead).toHaveLength(1))
  const build = await staticBuild({ 'chunks/late.js': script })
  await storeBuild(build)
  const second = find('chunks/late.js')
  finishRead[0]?.()
  expect(await first).toBeUndefined()
  await vi.waitFor(() => expect(finishRead).toHaveLength(2))
  finishRead[1]?.()
  expect(await second).toBe(build.files['chunks/late.js'])
})

test('concurrent requests for a file share one query', async () => {
  const build = await staticBuild({ 'chunks/app.js': script })
  await storeBuild(build)
  const read = vi.fn(readStaticFile)
  const load = fileLoader(keptFiles(temporaryFolder()), read)
  const hash = build.files['chunks/app.js'] ?? ''
  const contents = await Promise.all(Array.from({ length: 50 }, () => load(hash)))
  expect(contents.every((content) => content?.toString() === script)).toBe(true)
  expect(read).toHaveBeenCalledTimes(1)
})

test('a file that was swept is looked for once a second at most', async () => {
  const read = vi.fn(readStaticFile)
  const load = fileLoader(keptFiles(temporaryFolder()), read)
  for (let count = 0; count < 20; count += 1) expect(await load(sha256('gone'))).toBeUndefined()
  expect(read.mock.calls.length).toBeLessThan(5)
})

test('a sweep waits for a build that is being stored, and deletes none of its files', async () => {
  const shared = { 'chunks/shared.js': 'shared' }
  const old = await staticBuild({ ...shared, 'chunks/old.js': 'old' })
  await storeBuild(old)
  await db.database
    .update(staticBuilds)
    .set({ usedAt: sql`now() - interval '8 days'` })
    .where(eq(staticBuilds.id, old.id))
  const next = await staticBuild({ ...shared, 'chunks/next.js': 'next' })
  let sweep: Promise<void> | undefined
  await storeBuild({
    ...next,
    async read(name) {
      let swept = false
      sweep = sweepAll().then(() => {
        swept = true
      })
      await vi.waitFor(async () => expect(swept || (await waitsForLock())).toBe(true))
      return next.read(name)
    },
  })
  await sweep
  expect(await db.database.$count(staticBuilds)).toBe(1)
  for (const hash of Object.values(next.files)) expect(await readStaticFile(hash)).toBeDefined()
})

async function sweepAll(): Promise<void> {
  await deleteUnusedBuilds(500)
  await deleteUnusedFiles(500)
}

async function waitsForLock(): Promise<boolean> {
  const { rows } = await db.connection.query(
    `select from pg_locks where locktype = 'advisory' and not granted and database =
      (select oid from pg_database where datname = current_database())`,
    [],
  )
  return rows.length > 0
}

test('a build of more than 20 MB is not stored, with one warning', async () => {
  const lines = captureLog()
  const folder = staticFolder({
    'media/a.png': Buffer.alloc(11e6),
    'media/b.png': Buffer.alloc(11e6),
  })
  const { names, stored } = await readOwnBuild(folder)
  expect(stored).toBeUndefined()
  expect(names).toEqual(new Set(['media/a.png', 'media/b.png']))
  expect(lines()).toEqual([expect.objectContaining({ level: 'warn', megabytes: 21 })])
})

test('the oldest files on disk make room for new ones', async () => {
  const dataDir = temporaryFolder()
  const { keep, read } = keptFiles(dataDir, 250)
  const contents = ['a', 'b', 'c'].map((letter) => Buffer.from(letter.repeat(100)))
  for (const [index, content] of contents.entries()) {
    const path = join(dataDir, 'static', sha256(content))
    await keep(sha256(content), content)
    if (index < 2) utimesSync(path, index, index)
  }
  const kept = await Promise.all(contents.map((content) => read(sha256(content))))
  expect(kept).toEqual([undefined, ...contents.slice(1)])
})

test('serves without a folder that can be written', async () => {
  await storeBuild(await staticBuild({ 'chunks/app.js': script }))
  const notFolder = join(staticFolder({ 'file.txt': '' }), 'file.txt')
  const get = await serve({ dataDir: notFolder })
  expect((await get('chunks/app.js')).status).toBe(200)
  await db.database.delete(staticFiles)
  expect((await get('chunks/app.js')).status).toBe(200)
})
