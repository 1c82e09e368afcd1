import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeOf } from '../../../scripts/check/imports.mjs'

const sources = (await codeOf('.')).filter((path) => !path.includes('/tests/'))

// The limits are for core with all modules. The files of core alone are longer.
test('half of the source files have at most 100 lines, nine of ten at most 180, and all at most 300', () => {
  const lengths = sources.map((path) => readFileSync(path, 'utf8').split('\n').length - 1)
  const sorted = lengths.toSorted((a, b) => a - b)
  expect(sorted.at(-1)).toBeLessThanOrEqual(300)
  expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThanOrEqual(180)
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(100)
})
