import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nightly } from '#testing/nightly'
import { freePort, launchServer, type Server } from '#testing/server/server'
import { modesOf } from '../../support/file-modes'

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

/** As if another user had made the folder, and an older version the files in it. */
function openToAll(): void {
  mkdirSync(join(folder, 'outbox'))
  writeFileSync(join(folder, 'outbox/message.eml'), 'Subject: Sign in')
  writeFileSync(join(folder, 'auth-secret'), 'only-for-tests-'.repeat(3))
  for (const name of ['', 'outbox']) chmodSync(join(folder, name), 0o755)
  for (const name of ['outbox/message.eml', 'auth-secret']) chmodSync(join(folder, name), 0o666)
}

function expectPrivate(): void {
  expect(modesOf(folder, 'outbox', 'auth-secret', 'database')).toEqual(new Set(['700', '600']))
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('755')
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
  openToAll()
  const server = launchServer({
    DATA_DIR: folder,
    DATABASE_URL: '',
    PORT: String(await freePort()),
  })
  await server.waitFor(/ready at /)
  expectPrivate()
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
