import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { weaknessOf } from '#doctor/checks/files'
import { checkNext, checkNode, nodeReleases, recommendedNode } from '#doctor/checks/settings'
import { formatReport } from '#doctor/run-checks'

describe('versions', () => {
  const today = new Date('2026-11-15')
  const levels = (version: string, exposed = true, day = today) =>
    checkNode(version, day, exposed).map(({ level }) => level)

  test.each(nodeReleases)('of Node $major before $safe are reported', ({ safe, endOfLife }) => {
    const [major, minor, patch] = safe.split('.').map(Number)
    const before = (patch ?? 0) > 0 ? `${major}.${minor}.${(patch ?? 0) - 1}` : `${major}.0.0`
    const supported = new Date(new Date(endOfLife).getTime() - 1)
    expect(levels(safe, true, supported)).toEqual(['ok'])
    expect(levels(before, true, supported)).toEqual(['error'])
    expect(levels(before, false, supported)).toEqual(['warning'])
    expect(levels(safe, true, new Date(endOfLife))).toEqual(['warning'])
  })

  test('of Node that are not listed are too old or newer than the check', () => {
    expect(levels('18.20.8')).toEqual(['warning'])
    expect(levels('25.9.0')).toEqual(['warning'])
    expect(levels('28.0.0')).toEqual(['ok'])
    expect(nodeReleases.map(({ major }) => major)).toContain(recommendedNode)
  })

  test('of Next before the first safe one are reported', () => {
    expect(checkNext('16.4.6', true)[0]?.level).toBe('ok')
    expect(checkNext('17.0.0', true)[0]?.level).toBe('ok')
    expect(checkNext('16.4.5', true)[0]?.level).toBe('error')
    expect(checkNext('16.4.5', false)[0]?.level).toBe('warning')
  })
})

test.each([
  ['s'.repeat(40), 'has fewer than ten different characters'],
  ['only-for-tests-'.repeat(3), 'repeats the same characters'],
  ['abcdefghijklmnopqrstuvwxyz0123456789', 'is a sequence of characters'],
  ['correct-horse-battery-staple-forever', 'is made of words'],
  ['ChangeEverySecretBeforeTheRelease!!!', 'is made of words'],
])('rejects the secret %s', (secret, reason) => {
  expect(weaknessOf(secret)).toBe(reason)
})

test('accepts every random secret', () => {
  for (let count = 0; count < 2_000; count += 1) {
    const bytes = createHash('sha256').update(String(count)).digest()
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      expect(weaknessOf(bytes.toString(encoding))).toBeUndefined()
    }
  }
})

test('formats a report in aligned groups, optionally with colors', () => {
  const findings = [
    { level: 'ok', check: 'mail', message: 'Mail works.' },
    {
      level: 'error',
      check: 'files',
      message: 'word '.repeat(20).trim(),
      remedy: 'do '.repeat(30).trim(),
    },
  ] as const
  const plain = formatReport(findings, { width: 60, colors: false })
  expect(plain).toContain('Mail\n  ok       Mail works.\n\nFiles\n  error    word word')
  expect(plain).toMatch(/\n {11}→ do do .*\n {13}do /)
  expect(plain).toMatch(/\n\n1 error, 0 warnings, 1 ok\.$/)
  for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  expect(formatReport(findings, { width: 60, colors: true })).toContain('\x1b[31merror  \x1b[0m')
})
