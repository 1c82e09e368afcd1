import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nightly } from '../support/nightly'
import { freePort, launchServer, type Server } from '../support/server'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-first-start-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** Starts with an empty folder and waits until the database is being created. */
async function startUntilCreating(): Promise<Server> {
  const server = launchServer({
    DATA_DIR: folder,
    DATABASE_URL: '',
    PORT: String(await freePort()),
  })
  const isCreating = () =>
    readdirSync(folder).some((name) => existsSync(join(folder, name, 'PG_VERSION')))
  while (!isCreating()) {
    expect(server.child.exitCode).toBeNull()
    await pause(20)
  }
  return server
}

test('recreates the database after a kill during its creation', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < (nightly ? 3 : 1); round += 1) {
    const server = await startUntilCreating()
    server.child.kill('SIGKILL')
    await server.exited
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

test('stops during the start and releases the lock', {
  timeout: 60_000,
}, async () => {
  const server = await startUntilCreating()
  expect(await server.stop()).toBe(0)
  expect(existsSync(join(folder, 'lock.json'))).toBe(false)
  expect(existsSync(join(folder, 'database'))).toBe(false)
})
