import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'
import { findProviders } from '../../../scripts/modules/providers.mjs'

let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer(fresh.settings)
})

afterAll(async () => {
  await server.stop()
  await fresh.remove()
})

/** Caches and logs, which are not deployed. */
const notDeployed = /^\.next\/(cache|dev)\//

function builtFiles(): string[] {
  return ['.next'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .filter((path) => !notDeployed.test(path)),
  )
}

test('no file of the build contains the development providers', () => {
  const files = builtFiles()
  expect(files.length).toBeGreaterThan(50)
  const expected = 'Continue with '
  const forbidden = ['dev/oauth', ' (development)', 'dev.oauth']
  const found = new Set<string>()
  for (const path of files) {
    const text = readFileSync(path, 'latin1')
    for (const part of [expected, ...forbidden]) if (text.includes(part)) found.add(part)
  }
  // The expected text shows that the texts of pages are found.
  expect([...found]).toEqual([expected])
})

test('the server lists and serves no development provider', async () => {
  expect(Object.keys(await (await fetch(`${server.url}/api/auth/providers`)).json())).toEqual([
    'credentials',
  ])
  const paths = ['any', ...(await findProviders()).map(({ id }) => id)].flatMap((id) => [
    `/dev/oauth/${id}/.well-known/openid-configuration`,
    `/dev/oauth/${id}/login/oauth/authorize`,
    `/dev/oauth/${id}/api/v3/user`,
  ])
  for (const path of paths) expect((await fetch(server.url + path)).status).toBe(404)
  const page = await (await fetch(`${server.url}/sign-in`)).text()
  expect(page).not.toContain('Continue with')
})
