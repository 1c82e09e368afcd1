import { expect, test } from 'vitest'
import { parseEnv } from '#config/env'
import { splitDatabaseUrl } from '#config/setting-types'

test('a URL with one host is used as it is, whether its server takes writes or not', () => {
  for (const url of ['postgres://u:p@db/app?sslmode=require', 'postgres:///app']) {
    expect(splitDatabaseUrl(url)).toEqual({ urls: [url], mustTakeWrites: false })
  }
})

test('each host of a list becomes a URL with its own port, and its server must take writes', () => {
  expect(splitDatabaseUrl('postgresql://u:p%40,x@a:5432,b,[::1]:5434/app?sslmode=require')).toEqual(
    {
      urls: [
        'postgresql://u:p%40,x@a:5432/app?sslmode=require',
        'postgresql://u:p%40,x@b/app?sslmode=require',
        'postgresql://u:p%40,x@[::1]:5434/app?sslmode=require',
      ],
      mustTakeWrites: true,
    },
  )
})

test.each([
  ['read-write', true],
  ['primary', true],
  ['any', false],
])('target_session_attrs=%s decides, and is not passed on', (value, mustTakeWrites) => {
  for (const hosts of ['a', 'a,b']) {
    const url = `postgres://u@${hosts}/app?target_session_attrs=${value}&sslmode=require`
    const urls = hosts.split(',').map((host) => `postgres://u@${host}/app?sslmode=require`)
    expect(splitDatabaseUrl(url)).toEqual({ urls, mustTakeWrites })
  }
})

const hosts = 'has hosts that cannot be read; separate them with commas, such as a:5432,b:5432'
const attributes = 'has a target_session_attrs that is not any, read-write or primary'
const scheme = 'must be a URL that starts with postgres:// or postgresql://'

test.each([
  ['postgres://u:hunter2@a:5432,/app', hosts],
  ['postgres://u:hunter2@a,,b/app', hosts],
  ['postgres://u:hunter2@a:1,b:70000/app', hosts],
  ['postgres://a b,c/app', hosts],
  ['postgres://u:hunter2@a:port/app', scheme],
  ['mysql://u:hunter2@a,b/app', scheme],
  ['postgres://u:hunter2@a/app?target_session_attrs=standby', attributes],
  ['postgres://u:hunter2@a,b/app?target_session_attrs=', attributes],
])('refuses %s without repeating it', (url, message) => {
  const settings = { AUTH_SECRET: 's'.repeat(32) }
  const valid = 'postgres://db/app'
  expect(() => parseEnv({ ...settings, DATABASE_URL: url })).toThrow(
    `Settings: DATABASE_URL ${message}.`,
  )
  const direct = { DATABASE_URL: valid, DATABASE_DIRECT_URL: url }
  expect(() => parseEnv({ ...settings, ...direct })).toThrow(
    `Settings: DATABASE_DIRECT_URL ${message}.`,
  )
})
