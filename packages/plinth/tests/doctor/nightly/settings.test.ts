import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#testing/server/server'
import { runDoctor as run, runDoctorProgram as runProgram } from '../../support/doctor'
import { startSmtpServer } from '../../support/smtp-server'

// The folder has no database, so none is opened.
const folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

const defaults = { DATA_DIR: folder, DATABASE_URL: '', AUTH_SECRET: '', AUTH_URL: '' }
const runDoctor = (settings: Record<string, string>, args: string[] = []) =>
  run({ settings: { ...defaults, ...settings }, args })
const runDoctorProgram = (settings: Record<string, string>, args: string[] = []) =>
  runProgram({ settings: { ...defaults, ...settings }, args })

const secret = randomBytes(32).toString('base64')
const hiddenValue = 'hunter2'

test('reports valid settings as ok', async () => {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.close())
  const { findings, issues } = await runDoctor({
    AUTH_SECRET: secret,
    AUTH_URL: 'https://app.example.com',
    TRUST_PROXY: '1',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'hello@example.com',
    CORS_ORIGINS: 'https://other.example.com',
  })
  for (const check of ['settings', 'secrets', 'url', 'mail', 'cors', 'files']) {
    expect(issues(check)).toEqual([])
    expect(findings.filter((finding) => finding.check === check)).not.toEqual([])
  }
})

test('names misspelled settings, and a misspelled DATABASE_URL as an error', async () => {
  const { code, issues, text } = await runDoctor({
    SING_UP: 'closed',
    DATABSE_URL: `postgres://user:${hiddenValue}@db/plinth`,
  })
  expect(code).toBe(1)
  expect(issues('settings')).toEqual([
    'error: DATABSE_URL is not a setting, and DATABASE_URL, which was probably meant, is not set.',
    'warning: SING_UP is not a setting. Did you mean SIGN_UP?',
  ])
  expect(text).not.toContain(hiddenValue)
})

test('reports every invalid setting and still runs all other checks', async () => {
  const { code, issues, text } = await runDoctor({
    PORT: 'x',
    LOG_LEVEL: 'loud',
    SMTP_URL: `smtp://user:${hiddenValue}@mail.example.com`,
    REDIS_URL: `http://:${hiddenValue}@redis`,
    AUTH_SECRET: `short-${hiddenValue}`,
    AUTH_URL: 'http://app.example.com',
    CORS_ORIGINS: 'http://other.example.com,http://localhost:5173',
  })
  expect(code).toBe(1)
  expect(issues('settings')).toEqual([
    'error: PORT must be a whole number from 0 to 65535.',
    'error: REDIS_URL must be a URL that starts with redis:// or rediss://.',
    expect.stringMatching(/^error: LOG_LEVEL /),
    'error: MAIL_FROM is required with SMTP_URL, or mail.from in src/plinth.config.ts.',
  ])
  expect(issues('secrets')).toEqual(['error: AUTH_SECRET must be at least 32 characters long.'])
  expect(issues('url')).toEqual([
    'error: http://app.example.com is not https, so passwords and cookies are sent in clear text.',
  ])
  expect(issues('cors')).toEqual([
    expect.stringContaining('error: CORS_ORIGINS contains http://other.example.com:'),
    expect.stringContaining('error: CORS_ORIGINS contains http://localhost:5173:'),
  ])
  expect(text).not.toContain(hiddenValue)
})

test('does not check the embedded database if DATABASE_URL is invalid', async () => {
  const DATABASE_URL = `mysql://user:${hiddenValue}@db`
  const { issues, text } = await runDoctor({ DATABASE_URL })
  expect(issues('settings')).toEqual([expect.stringMatching(/^error: DATABASE_URL must be a URL/)])
  expect(issues('database')).toEqual(['warning: It was not checked.'])
  expect(text).not.toContain(hiddenValue)
})

test('requires AUTH_SECRET and AUTH_URL with DATABASE_URL', async () => {
  const { issues } = await runDoctor({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(issues('secrets')).toEqual([
    expect.stringMatching(/^error: AUTH_SECRET is required with DATABASE_URL/),
  ])
  expect(issues('url')).toEqual([expect.stringMatching(/^error: AUTH_URL is not set/)])
})

test('reports a weak secret without its value', async () => {
  const AUTH_SECRET = 'correct-horse-battery-staple-forever'
  const local = await runDoctor({ AUTH_SECRET })
  expect(local.issues('secrets')).toEqual(['warning: AUTH_SECRET is made of words.'])
  const exposed = await runDoctor({ AUTH_SECRET, HOST: '0.0.0.0' })
  expect(exposed.issues('secrets')).toEqual(['error: AUTH_SECRET is made of words.'])
  expect(local.text + exposed.text).not.toContain(AUTH_SECRET)
})

test('warns about risky settings', async () => {
  const origins = Array.from({ length: 11 }, (_, index) => `https://app-${index}.example.com`)
  const { issues } = await runDoctor({
    AUTH_SECRET: secret,
    AUTH_SECRET_PREVIOUS: randomBytes(32).toString('base64'),
    AUTH_URL: 'https://app.example.com',
    AUTH_COOKIE_SAMESITE: 'none',
    CORS_ORIGINS: origins.join(','),
  })
  expect(issues('secrets')).toEqual([expect.stringMatching(/^warning: AUTH_SECRET_PREVIOUS is/)])
  expect(issues('url')).toEqual([expect.stringMatching(/^warning: TRUST_PROXY is not set/)])
  expect(issues('mail')).toEqual([expect.stringMatching(/^warning: SMTP_URL is not set/)])
  expect(issues('cors')).toEqual([
    expect.stringMatching(/^warning: AUTH_COOKIE_SAMESITE=none/),
    expect.stringMatching(/^warning: CORS_ORIGINS contains 11 origins/),
  ])
})

test('warns about missing metrics where others use the app', async () => {
  const local = await runDoctor({})
  expect(local.issues('metrics')).toEqual([])
  const AUTH_URL = 'https://app.example.invalid'
  const published = await runDoctor({ AUTH_URL })
  expect(published.issues('metrics')).toEqual([
    'warning: They are off: no one is alerted when requests fail.',
  ])
  const METRICS_PORT = String(await freePort())
  const stopped = await runDoctor({ AUTH_URL, METRICS_PORT })
  expect(stopped.issues('metrics')).toEqual([
    `warning: http://127.0.0.1:${METRICS_PORT}/metrics does not respond (ECONNREFUSED).`,
  ])
})

test('accepts the outbox and a generated secret on localhost', async () => {
  const { issues } = await runDoctor({})
  expect(issues('mail')).toEqual([])
  expect(issues('secrets')).toEqual([])
})

test('prints at most 80 columns, without colors outside a terminal', async () => {
  const { code, text } = await runDoctorProgram({ PORT: 'x' })
  expect(code).toBe(1)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(text).not.toContain('\x1b')
  expect(text).toMatch(/^Settings\n {2}error {4}PORT must be .*\n {11}→ /m)
  expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\d+ errors?, \d+ warnings?, \d+ ok\.$/)
})

test('--strict fails on warnings, and invalid arguments are rejected', async () => {
  expect(await runDoctor({})).toMatchObject({ code: 0 })
  expect(await runDoctor({}, ['--strict'])).toMatchObject({ code: 1 })
  for (const args of [['--fix'], ['--url', 'invalid'], ['--url', 'file:///etc/passwd']]) {
    const { code, text } = await runDoctorProgram({}, args)
    expect(code).toBe(2)
    expect(text).toMatch(/^Usage: npm run doctor -- [^\n]+\n$/)
  }
})
