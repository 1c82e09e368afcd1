import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { freePort, launchServer, startServer } from '#testing/server/server'

// Some start the server several times.
let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

/** Expects the start to exit with 1 and one line, and returns the line. */
async function startupError(settings: Record<string, string>): Promise<string> {
  const server = launchServer({ ...fresh.settings, LOG_LEVEL: 'silent', ...settings })
  expect(await server.exited).toBe(1)
  const lines = server.output().trim().split('\n')
  expect(lines.filter((line) => !line.includes('next.config.ts'))).toHaveLength(1)
  return lines.at(-1) ?? ''
}

test('reports a port that is in use', async () => {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const address = other.address()
  const PORT = String(typeof address === 'object' ? address?.port : 0)
  expect(await startupError({ PORT })).toBe(
    `Port ${PORT} on 127.0.0.1 is already in use. Stop the other process, or set PORT.`,
  )
  other.close()
})

test('reports a port for metrics that is in use, or that is PORT', async () => {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const address = other.address()
  const METRICS_PORT = String(typeof address === 'object' ? address?.port : 0)
  expect(await startupError({ METRICS_PORT })).toBe(
    `Port ${METRICS_PORT} on 127.0.0.1 is already in use. Stop the other process, or set METRICS_PORT.`,
  )
  other.close()
  expect(await startupError({ METRICS_PORT: '4321', PORT: '4321' })).toBe(
    'Settings: METRICS_PORT must differ from PORT.',
  )
})

test('reports an invalid setting', async () => {
  expect(await startupError({ SIGN_UP: 'sometimes' })).toMatch(/^Settings: SIGN_UP .*\.$/)
})

test('reports a mail server without a sender', async () => {
  expect(await startupError({ SMTP_URL: 'smtp://127.0.0.1:1' })).toBe(
    'Settings: MAIL_FROM is required with SMTP_URL, or mail.from in src/plinth.config.ts.',
  )
})

test('reports a DATA_DIR that is a file', async () => {
  expect(await startupError({ DATA_DIR: 'package.json' })).toBe(
    'DATA_DIR must be a folder, but package.json is not.',
  )
})

test.runIf(process.platform === 'linux')('reports a DATA_DIR that is not writable', async () => {
  expect(await startupError({ DATA_DIR: '/sys/plinth' })).toMatch(
    /^Cannot write to \/sys\/plinth: /,
  )
})

test('reports a DATA_DIR below a link without a target', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-link-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const link = join(folder, 'link')
  symlinkSync(join(folder, 'missing'), link)
  const message = `${link} is a link to something that does not exist. Create it, or set DATA_DIR to another folder.`
  expect(await startupError({ DATA_DIR: link })).toBe(message)
  expect(await startupError({ DATA_DIR: join(link, 'below') })).toBe(message)
})

test.runIf(process.platform === 'linux')('reports a DATA_DIR in /proc', async () => {
  expect(await startupError({ DATA_DIR: '/proc/plinth/data' })).toBe(
    'No folder can be created in /proc. Set DATA_DIR to another one.',
  )
})

test('rejects a public HOST or AUTH_URL while a demo account has the published password', async () => {
  const first = await startServer(fresh.settings)
  expect(first.output()).toContain(
    'demo accounts: admin@example.com, editor@example.com, viewer@example.com; password: plinth-demo-1',
  )
  await first.stop()
  const line = await startupError({ HOST: '0.0.0.0', PORT: String(await freePort()) })
  expect(line).toMatch(
    /^HOST is 0\.0\.0\.0, but the published password plinth-demo-1 signs in admin@example\.com, /,
  )
  const AUTH_URL = 'https://app.example.com'
  expect(await startupError({ AUTH_URL, PORT: String(await freePort()) })).toMatch(
    /^AUTH_URL is https:\/\/app\.example\.com, but the published password plinth-demo-1 signs in admin@example\.com, .* Set DATABASE_URL\./,
  )
})

test('rejects a misspelled DATABASE_URL and names it', async () => {
  const DATABSE_URL = 'postgres://user:hunter2@db/plinth'
  expect(await startupError({ DATABSE_URL })).toBe(
    'Settings: DATABSE_URL is not a setting, and DATABASE_URL, which was probably meant, is not set.',
  )
})

test('logs other misspelled settings, and starts', async () => {
  const misspelled = { SING_UP: 'closed', AUTH_GITHBU_URL: 'https://github.example.com' }
  const server = await startServer({ ...fresh.settings, ...misspelled })
  const warnings = server.log().filter(({ level }) => level === 'warn')
  expect(warnings.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      'SING_UP is not a setting. Did you mean SIGN_UP?',
      'AUTH_GITHBU_URL is not a setting. Did you mean AUTH_GITHUB_URL?',
    ]),
  )
  await server.stop()
})
