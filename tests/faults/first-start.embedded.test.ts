import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort, launchServer, type Server } from '../support/server'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-first-start-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** Starts on an empty folder and waits until the database is being made. */
async function making(): Promise<Server> {
  const server = launchServer({
    DATA_DIR: folder,
    DATABASE_URL: '',
    PORT: String(await freePort()),
  })
  const begun = () =>
    readdirSync(folder).some((name) => existsSync(join(folder, name, 'PG_VERSION')))
  while (!begun()) {
    expect(server.child.exitCode).toBeNull()
    await pause(20)
  }
  return server
}

test('killed while the database is made: the next start makes it whole', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < 3; round += 1) {
    const server = await making()
    server.child.kill('SIGKILL')
    await server.ended
    expect(existsSync(join(folder, 'database'))).toBe(false)
  }
  const server = launchServer({
    DATA_DIR: folder,
    DATABASE_URL: '',
    PORT: String(await freePort()),
  })
  await server.waitFor(/ready at /)
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  expect(existsSync(join(folder, 'lock.json'))).toBe(false)
})

test('asked to stop while it starts: it does, and leaves no lock', {
  timeout: 60_000,
}, async () => {
  const server = await making()
  expect(await server.stop()).toBe(0)
  expect(existsSync(join(folder, 'lock.json'))).toBe(false)
  expect(existsSync(join(folder, 'database'))).toBe(false)
})
