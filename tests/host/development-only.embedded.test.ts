import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProviders } from '../../scripts/modules/find-providers.mjs'
import { freshDatabase, type Place } from '../support/database'
import { type Server, startServer } from '../support/server'

let place: Place
let server: Server

beforeAll(async () => {
  place = await freshDatabase()
  server = await startServer(place.settings)
})

afterAll(async () => {
  await server.stop()
  await place.remove()
})

/** What `next dev` and the build keep for themselves is not part of the product. */
const notBuilt = /^\.next\/(cache|dev)\/|^dist\/build\.log$/

function built(): string[] {
  return ['.next', 'dist'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .filter((path) => !notBuilt.test(path)),
  )
}

test('no file of the product knows the providers for development', () => {
  const files = built()
  expect(files.length).toBeGreaterThan(50)
  const own = 'Continue with '
  const foreign = ['dev/oauth', ', for development', 'dev.oauth']
  const found = new Set<string>()
  for (const path of files) {
    const text = readFileSync(path, 'latin1')
    for (const part of [own, ...foreign]) if (text.includes(part)) found.add(part)
  }
  // The first shows that texts of pages would be found.
  expect([...found]).toEqual([own])
})

test('the product offers none and serves none, even when it is pointed at itself', async () => {
  expect(Object.keys(await (await fetch(`${server.url}/api/auth/providers`)).json())).toEqual([
    'credentials',
  ])
  const paths = ['any', ...findProviders()].flatMap((id) => [
    `/dev/oauth/${id}/.well-known/openid-configuration`,
    `/dev/oauth/${id}/login/oauth/authorize`,
    `/dev/oauth/${id}/api/v3/user`,
  ])
  for (const path of paths) expect((await fetch(server.url + path)).status).toBe(404)
  const page = await (await fetch(`${server.url}/sign-in`)).text()
  expect(page).not.toContain('Continue with')
})
