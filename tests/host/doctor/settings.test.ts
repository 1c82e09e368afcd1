import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { askDoctor as ask, runDoctor as runWith } from '../../support/doctor'

vi.setConfig({ testTimeout: 60_000 })

// No database is in it, and so none has to be opened.
const folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

const nothing = { DATA_DIR: folder, DATABASE_URL: '', AUTH_SECRET: '', AUTH_URL: '' }
const askDoctor = (settings: Record<string, string>, words: string[] = []) =>
  ask({ settings: { ...nothing, ...settings }, words })
const runDoctor = (settings: Record<string, string>, words: string[] = []) =>
  runWith({ settings: { ...nothing, ...settings }, words })

const secret = randomBytes(32).toString('base64')
const hidden = 'hunter2'

test('what is right is said to be fine, and nothing else is', async () => {
  const { findings, wrong } = await askDoctor({
    AUTH_SECRET: secret,
    AUTH_URL: 'https://app.example.com',
    TRUST_PROXY: '1',
    SMTP_URL: `smtp://user:${hidden}@mail.example.com`,
    MAIL_FROM: 'hello@example.com',
    CORS_ORIGINS: 'https://other.example.com',
  })
  for (const check of ['settings', 'secrets', 'address', 'mail', 'other origins', 'files']) {
    expect(wrong(check)).toEqual([])
    expect(findings.filter((finding) => finding.check === check)).not.toEqual([])
  }
})

test('every wrong setting is a finding, and none keeps the others from being looked at', async () => {
  const { code, wrong, text } = await askDoctor({
    PORT: 'x',
    LOG_LEVEL: 'loud',
    SMTP_URL: `smtp://user:${hidden}@mail.example.com`,
    REDIS_URL: `http://:${hidden}@redis`,
    AUTH_SECRET: `short-${hidden}`,
    AUTH_URL: 'http://app.example.com',
    CORS_ORIGINS: 'http://other.example.com,http://localhost:5173',
  })
  expect(code).toBe(1)
  expect(wrong('settings')).toEqual([
    'error: PORT must be a whole number from 0 to 65535.',
    'error: REDIS_URL must be a URL that starts with redis:// or rediss://.',
    expect.stringMatching(/^error: LOG_LEVEL /),
    'error: MAIL_FROM is required with SMTP_URL.',
  ])
  expect(wrong('secrets')).toEqual(['error: AUTH_SECRET must be at least 32 characters long.'])
  expect(wrong('address')).toEqual([
    'error: http://app.example.com is not https: passwords and cookies can be read on the way.',
  ])
  expect(wrong('other origins')).toEqual([
    expect.stringContaining('error: CORS_ORIGINS has http://other.example.com:'),
    expect.stringContaining('error: CORS_ORIGINS has http://localhost:5173:'),
  ])
  expect(text).not.toContain(hidden)
})

test('a database whose address cannot be read is not taken for the embedded one', async () => {
  const DATABASE_URL = `mysql://user:${hidden}@db`
  const { wrong, text } = await askDoctor({ DATABASE_URL })
  expect(wrong('settings')).toEqual([expect.stringMatching(/^error: DATABASE_URL must be a URL/)])
  expect(wrong('database')).toEqual(['warning: It was not looked at.'])
  expect(text).not.toContain(hidden)
})

test('a real database needs a secret and an address', async () => {
  const { wrong } = await askDoctor({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(wrong('secrets')).toEqual([
    expect.stringMatching(/^error: AUTH_SECRET is required with DATABASE_URL/),
  ])
  expect(wrong('address')).toEqual([expect.stringMatching(/^error: AUTH_URL is not set/)])
})

test('a secret that somebody thought up is noticed, and not repeated', async () => {
  const AUTH_SECRET = 'correct-horse-battery-staple-forever'
  const local = await askDoctor({ AUTH_SECRET })
  expect(local.wrong('secrets')).toEqual(['warning: AUTH_SECRET is made of words.'])
  const open = await askDoctor({ AUTH_SECRET, HOST: '0.0.0.0' })
  expect(open.wrong('secrets')).toEqual(['error: AUTH_SECRET is made of words.'])
  expect(local.text + open.text).not.toContain(AUTH_SECRET)
})

test('what is better changed is a warning', async () => {
  const origins = Array.from({ length: 11 }, (_, index) => `https://app-${index}.example.com`)
  const { wrong } = await askDoctor({
    AUTH_SECRET: secret,
    AUTH_SECRET_PREVIOUS: randomBytes(32).toString('base64'),
    AUTH_URL: 'https://app.example.com',
    AUTH_COOKIE_SAMESITE: 'none',
    CORS_ORIGINS: origins.join(','),
  })
  expect(wrong('secrets')).toEqual([expect.stringMatching(/^warning: AUTH_SECRET_PREVIOUS is/)])
  expect(wrong('address')).toEqual([expect.stringMatching(/^warning: TRUST_PROXY is not set/)])
  expect(wrong('mail')).toEqual([expect.stringMatching(/^warning: SMTP_URL is not set/)])
  expect(wrong('other origins')).toEqual([
    expect.stringMatching(/^warning: AUTH_COOKIE_SAMESITE=none/),
    expect.stringMatching(/^warning: CORS_ORIGINS has 11 origins/),
  ])
})

test('on this machine alone, mail in the outbox and a secret of its own are fine', async () => {
  const { wrong } = await askDoctor({})
  expect(wrong('mail')).toEqual([])
  expect(wrong('secrets')).toEqual([])
})

test('it fits a terminal of 80 columns, without colours where there is none', async () => {
  const { code, text } = await runDoctor({ PORT: 'x' })
  expect(code).toBe(1)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(text).not.toContain('\x1b')
  expect(text).toMatch(/^Settings\n {2}error {4}PORT must be .*\n {11}→ /m)
  expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\d+ errors?, \d+ warnings?, \d+ fine\.$/)
})

test('warnings count where that is asked for, and odd words are refused', async () => {
  expect(await askDoctor({})).toMatchObject({ code: 0 })
  expect(await askDoctor({}, ['--strict'])).toMatchObject({ code: 1 })
  for (const words of [['--fix'], ['--url', 'nowhere'], ['--url', 'file:///etc/passwd']]) {
    const { code, text } = await runDoctor({}, words)
    expect(code).toBe(2)
    expect(text).toMatch(/^Say what you want: npm run doctor -- [^\n]+\n$/)
  }
})
