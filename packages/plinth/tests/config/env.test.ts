import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InvalidSettings, parseEnv } from '#config/env'
import { installed } from '../support/installed-providers'

const secret = 's'.repeat(32)
const providerSettings = installed.flatMap(({ settings }) => Object.values(settings))
const onPostgres = { DATABASE_URL: 'postgres://u:p@db/plinth', AUTH_SECRET: secret }

describe('without settings', () => {
  const env = parseEnv({})

  test('the server uses the embedded database and listens on localhost', () => {
    expect(env).toMatchObject({
      embedded: true,
      HOST: '127.0.0.1',
      PORT: 3000,
      DATA_DIR: '.data',
      AUTH_URL: 'http://localhost:3000',
    })
  })

  test('CORS, cross-site cookies and proxy headers are off', () => {
    expect(env).toMatchObject({ CORS_ORIGINS: [], AUTH_COOKIE_SAMESITE: 'lax', TRUST_PROXY: 0 })
  })

  test('an empty value means not set', () => {
    expect(parseEnv({ DATABASE_URL: '', PORT: '', AUTH_SECRET: '' })).toEqual(env)
  })
})

test('the server listens on all interfaces with PostgreSQL', () => {
  expect(parseEnv(onPostgres)).toMatchObject({ embedded: false, HOST: '0.0.0.0' })
})

test('parses numbers, booleans, lists and URLs', () => {
  const env = parseEnv({
    PORT: '8080',
    TRUST_PROXY: 'true',
    CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
  })
  expect(env.PORT).toBe(8080)
  expect(parseEnv({ AUTH_URL: 'HTTPS://App.example.com:443/' }).AUTH_URL).toBe(
    'https://app.example.com',
  )
  expect(env.TRUST_PROXY).toBe(1)
  expect(env.CORS_ORIGINS).toEqual(['https://a.example.com', 'http://localhost:5173'])
  expect(parseEnv({ TRUST_PROXY: '2' }).TRUST_PROXY).toBe(2)
  expect(parseEnv({ TRUST_PROXY: 'false' }).TRUST_PROXY).toBe(0)
})

describe('reports an invalid or missing setting in one line', () => {
  test.each<[string, Record<string, string>]>([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: ' ' }],
    ['PORT', { PORT: '0x50' }],
    ['METRICS_PORT', { METRICS_PORT: '0' }],
    ['METRICS_PORT', { METRICS_PORT: '65536' }],
    ['METRICS_PORT', { METRICS_PORT: '3000' }],
    ['METRICS_PORT', { METRICS_PORT: '9464', PORT: '9464' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://db/plinth', AUTH_SECRET: secret }],
    ['DATABASE_URL', { DATABASE_URL: 'db.example.com', AUTH_SECRET: secret }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://db/plinth' }],
    ['MIGRATE', { MIGRATE: 'never' }],
    ['REDIS_URL', { REDIS_URL: 'http://redis' }],
    ['AUTH_URL', { AUTH_URL: 'app.example.com' }],
    ['AUTH_URL', { AUTH_URL: 'https://app.example.com/path' }],
    ['AUTH_URL', { AUTH_URL: 'https://user:hunter2@app.example.com' }],
    ['AUTH_SECRET', { DATABASE_URL: onPostgres.DATABASE_URL }],
    ['AUTH_SECRET', { ...onPostgres, AUTH_SECRET: 'short' }],
    ['AUTH_SECRET', { ...onPostgres, AUTH_SECRET: ' '.repeat(40) }],
    ['AUTH_SECRET_PREVIOUS', { AUTH_SECRET_PREVIOUS: secret }],
    ['AUTH_COOKIE_SAMESITE', { AUTH_COOKIE_SAMESITE: 'strict' }],
    ['HSTS_SUBDOMAINS', { HSTS_SUBDOMAINS: 'yes', AUTH_URL: 'https://app.example.com' }],
    ['HSTS_SUBDOMAINS', { HSTS_SUBDOMAINS: 'on', AUTH_URL: 'http://app.example.com' }],
    ['AUTH_COOKIE_SAMESITE', { AUTH_COOKIE_SAMESITE: 'none', AUTH_URL: 'http://app.example.com' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: '*' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://u:hunter2@app.example.com' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://app.example.com/' }],
    ['DEPLOYMENT_ID', { DEPLOYMENT_ID: 'a b' }],
    ['SIGN_UP', { SIGN_UP: 'maybe' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example.com', MAIL_FROM: 'a@example.com' }],
    ['MAIL_FROM', { MAIL_FROM: 'App' }],
    ['MAIL_FROM', { MAIL_FROM: 'App <hello@example.com>, eve@example.com' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'yes' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ])('%s', (name, source) => {
    const attempt = () => parseEnv(source)
    expect(attempt).toThrow(InvalidSettings)
    expect(attempt).toThrow(new RegExp(`^Settings: ${name} [^\n]+\\.$`))
    expect(attempt).not.toThrow(/hunter2/)
  })

  test.each([
    [
      { TRUST_PROXY: 'yes' },
      'TRUST_PROXY must be true, false or the number of proxies, from 0 to 10',
    ],
    [
      { TRUST_PROXY: '11' },
      'TRUST_PROXY must be true, false or the number of proxies, from 0 to 10',
    ],
    [{ SECOND_FACTOR: 'all' }, 'SECOND_FACTOR must be optional, admins or everyone'],
    [{ COMPRESSION: 'yes' }, 'COMPRESSION must be on or off'],
  ])('says what it must be: %o', (source, message) => {
    expect(() => parseEnv(source)).toThrow(`Settings: ${message}.`)
  })

  test('reports all of them together, without their values', () => {
    const attempt = () => parseEnv({ PORT: 'x', DATABASE_URL: 'mysql://u:hunter2@db' })
    expect(attempt).toThrow(/PORT .*; DATABASE_URL /)
    expect(attempt).not.toThrow(/hunter2/)
  })
})

describe('a setting in a file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-settings-'))
    writeFileSync(join(folder, 'secret'), `${secret}\n`)
    writeFileSync(join(folder, 'empty'), '\n')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const { DATABASE_URL } = onPostgres

  test('is read, also one of an OAuth provider', () => {
    const AUTH_SECRET_FILE = join(folder, 'secret')
    expect(parseEnv({ DATABASE_URL, AUTH_SECRET_FILE }).AUTH_SECRET).toBe(secret)
    const provider = { AUTH_OWN_ID: 'id', AUTH_OWN_SECRET_FILE: AUTH_SECRET_FILE }
    expect(parseEnv(provider).oauth).toMatchObject({ own: { clientSecret: secret } })
  })

  test('is refused if it cannot be read, with one error', () => {
    const attempt = () => parseEnv({ DATABASE_URL, AUTH_SECRET_FILE: join(folder, 'missing') })
    expect(attempt).toThrow(
      /^Settings: AUTH_SECRET_FILE must be the path of a file that the server can read\.$/,
    )
  })

  test('is refused next to the setting itself', () => {
    const attempt = () => parseEnv({ ...onPostgres, AUTH_SECRET_FILE: join(folder, 'secret') })
    expect(attempt).toThrow('Settings: AUTH_SECRET_FILE cannot be set together with AUTH_SECRET.')
  })

  test('is not set if the file is empty', () => {
    expect(() => parseEnv({ DATABASE_URL, AUTH_SECRET_FILE: join(folder, 'empty') })).toThrow(
      /^Settings: AUTH_SECRET is required/,
    )
  })

  test('is ignored if no setting has that name', () => {
    expect(parseEnv({ PROFILE: 'x', SSL_CERT_FILE: '/missing', _FILE: '/missing' })).toEqual(
      parseEnv({}),
    )
  })
})

test('.env.example lists every setting and contains no secret', () => {
  const example = readFileSync('.env.example', 'utf8')
  const documented = [...example.matchAll(/^# ?([A-Z][A-Z0-9_]*)=(.*)$/gm)]
  const names = documented.map(([, name]) => name)
  const { embedded, ownOrigins, oauth, NODE_ENV, ...settings } = parseEnv(everySetting())
  expect(new Set(names)).toEqual(new Set([...Object.keys(settings), ...providerSettings]))
  for (const [, name, value] of documented) {
    if (name?.includes('SECRET')) expect(value).toBe('')
  }
})

function everySetting(): Record<string, string> {
  return {
    ...onPostgres,
    DATABASE_DIRECT_URL: onPostgres.DATABASE_URL,
    REDIS_URL: 'redis://redis',
    METRICS_PORT: '9464',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'shop',
    AUDIT_RETENTION_DAYS: '365',
    DEPLOYMENT_ID: 'b201000',
    AUTH_SECRET_PREVIOUS: secret,
    ...Object.fromEntries(providerSettings.map((name) => [name, 'https://example.com'])),
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'a@example.com',
  }
}
