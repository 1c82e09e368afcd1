import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeConnection, setConnection } from '#db/client'
import { readBuilds, storeBuild } from '#db/static-files'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'
import { type MuteProxy, startMuteProxy } from '../../support/outages/mute-proxy'
import { staticBuild, temporaryFolder } from '../../support/static-build'

let fresh: FreshDatabase
let proxy: MuteProxy
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  setConnection(await openFresh(fresh))
  proxy = await startMuteProxy(fresh.settings.DATABASE_URL ?? '')
})

afterAll(async () => {
  await server.stop()
  await proxy.stop()
  await closeConnection()
  await fresh.remove()
})

const ownFiles = readdirSync('.next/static', { recursive: true, encoding: 'utf8' })
const ownScript = ownFiles.find((name) => name.endsWith('.js')) ?? ''
const script = `console.log("${'x'.repeat(2000)}")`

const get = (name: string) => fetch(`${server.url}/_next/static/${name}`)

/** The headers that do not depend on the file or the request. */
function sharedHeaders({ headers }: Response) {
  const varying =
    /^(date|etag|last-modified|accept-ranges|transfer-encoding|content-(encoding|length|security-policy)|x-request-id)$/
  return Object.fromEntries([...headers].filter(([name]) => !varying.test(name)))
}

test('serves the files of other builds, and its own without the database', async () => {
  const names = ['chunks/fetched.js', 'chunks/not-fetched.js']
  const other = await staticBuild(Object.fromEntries(names.map((name) => [name, script + name])))
  const DATA_DIR = temporaryFolder()
  server = await startServer({ ...fresh.settings, DATABASE_URL: proxy.url, DATA_DIR })
  const [own] = (await readBuilds(new Map())).values()
  expect(Object.keys(own ?? {})).toContain(ownScript)
  await storeBuild(other)

  const [ownResponse, response] = [await get(ownScript), await get('chunks/fetched.js?dpl=2')]
  expect([ownResponse.status, response.status]).toEqual([200, 200])
  expect(sharedHeaders(response)).toEqual(sharedHeaders(ownResponse))
  expect(await response.text()).toBe(`${script}chunks/fetched.js`)
  expect((await get('chunks/unknown.js')).status).toBe(404)
  expect(readdirSync(join(DATA_DIR, 'static'))).toEqual([other.files['chunks/fetched.js']])

  proxy.mute({ newConnections: true })
  const unavailable = await Promise.all(['chunks/not-fetched.js', 'chunks/unknown.js'].map(get))
  expect(unavailable.map(({ status }) => status)).toEqual([503, 503])
  for (const { headers } of unavailable) {
    expect(headers.get('retry-after')).toBe('2')
    expect(headers.get('cache-control')).toBe('private, no-store')
  }
  expect((await get(ownScript)).status).toBe(200)
  expect((await get('chunks/fetched.js')).status).toBe(200)
  proxy.unmute()
  await vi.waitFor(async () => expect((await get('chunks/not-fetched.js')).status).toBe(200), {
    timeout: 10_000,
  })
})
