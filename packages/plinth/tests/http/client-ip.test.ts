import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Env, env } from '#config/env'
import { clientIp } from '#http/headers'
import { ipRange } from '#rate-limits/rate-limit'

const settings = env() as Env

beforeEach(() => {
  settings.TRUST_PROXY = 1
})

afterEach(() => {
  settings.TRUST_PROXY = 0
})

describe('the client IP', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:567', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[fe80::1%eth0]:443', 'fe80::1'],
    ['fe80::1%25', 'fe80::1'],
  ])('%s is %s', (reported, expected) => {
    expect(clientIp('198.51.100.1', reported)).toBe(expected)
    expect(clientIp(reported, undefined)).toBe(expected)
  })

  test.each([
    'unknown',
    '_hidden',
    '192.0.2.256',
    '192.0.2.1:567:8',
    '[192.0.2.1',
    '2001:db8::1::2',
    '[]:80',
    '%',
    `1${'0'.repeat(100)}`,
  ])('of the junk %s is the IP of the proxy', (junk) => {
    expect(clientIp('198.51.100.1', junk)).toBe('198.51.100.1')
    expect(clientIp('198.51.100.1', `192.0.2.7, ${junk}`)).toBe('198.51.100.1')
    expect(clientIp(undefined, junk)).toBe('unknown')
  })

  test('is never one that the caller wrote further left', () => {
    expect(clientIp('198.51.100.1', '192.0.2.66, 192.0.2.1:567')).toBe('192.0.2.1')
    settings.TRUST_PROXY = 0
    expect(clientIp('198.51.100.1', '192.0.2.66')).toBe('198.51.100.1')
  })
})

describe('rate limits count by', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['unknown', 'unknown'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['2001:db8::4:5:6:7', '2001:db8:0:0::/64'],
    ['2001:db8::3:4:5:6:7', '2001:db8:0:3::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s as %s', (ip, range) => {
    expect(ipRange(ip)).toBe(range)
  })
})
