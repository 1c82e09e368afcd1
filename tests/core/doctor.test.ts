import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { reportFor } from '@/core/doctor/report'
import { nodeLines, recommendedNode } from '@/core/doctor/safe-versions'
import { checkNext, checkNode } from '@/core/doctor/versions-check'
import { weaknessOf } from '@/core/doctor/weak-secret'

describe('versions', () => {
  const today = new Date('2026-11-15')
  const levels = (version: string, exposed = true, day = today) =>
    checkNode(version, day, exposed).map(({ level }) => level)

  test.each(nodeLines)('of Node $major, those before $safe have holes', ({ safe, until }) => {
    const [major, minor, patch] = safe.split('.').map(Number)
    const before = (patch ?? 0) > 0 ? `${major}.${minor}.${(patch ?? 0) - 1}` : `${major}.0.0`
    const supported = new Date(new Date(until).getTime() - 1)
    expect(levels(safe, true, supported)).toEqual(['fine'])
    expect(levels(before, true, supported)).toEqual(['error'])
    expect(levels(before, false, supported)).toEqual(['warning'])
    expect(levels(safe, true, new Date(until))).toEqual(['warning'])
  })

  test('lines that are too old to be listed, or too new', () => {
    expect(levels('18.20.8')).toEqual(['warning'])
    expect(levels('25.9.0')).toEqual(['warning'])
    expect(levels('28.0.0')).toEqual(['fine'])
    expect(nodeLines.map(({ major }) => major)).toContain(recommendedNode)
  })

  test('of Next', () => {
    expect(checkNext('16.4.6', true)[0]?.level).toBe('fine')
    expect(checkNext('17.0.0', true)[0]?.level).toBe('fine')
    expect(checkNext('16.4.5', true)[0]?.level).toBe('error')
    expect(checkNext('16.4.5', false)[0]?.level).toBe('warning')
  })
})

test.each([
  ['s'.repeat(40), 'has fewer than ten different characters'],
  ['only-for-tests-'.repeat(3), 'is the same characters again and again'],
  ['abcdefghijklmnopqrstuvwxyz0123456789', 'is characters in a row'],
  ['correct-horse-battery-staple-forever', 'is made of words'],
  ['ChangeEverySecretBeforeAnybodySees!!', 'is made of words'],
])('%s is guessed', (secret, why) => {
  expect(weaknessOf(secret)).toBe(why)
})

test('what is random is never taken for what somebody thought up', () => {
  for (let count = 0; count < 2_000; count += 1) {
    const bytes = createHash('sha256').update(String(count)).digest()
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      expect(weaknessOf(bytes.toString(encoding))).toBeUndefined()
    }
  }
})

test('a report is grouped and aligned, in colours where they are wanted', () => {
  const findings = [
    { level: 'fine', check: 'mail', what: 'It goes.' },
    {
      level: 'error',
      check: 'files',
      what: 'word '.repeat(20).trim(),
      remedy: 'do '.repeat(30).trim(),
    },
  ] as const
  const plain = reportFor(findings, { width: 60, colours: false })
  expect(plain).toContain('Mail\n  fine     It goes.\n\nFiles\n  error    word word')
  expect(plain).toMatch(/\n {11}→ do do .*\n {13}do /)
  expect(plain).toMatch(/\n\n1 error, 0 warnings, 1 fine\.$/)
  for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  expect(reportFor(findings, { width: 60, colours: true })).toContain('\x1b[31merror  \x1b[0m')
})
