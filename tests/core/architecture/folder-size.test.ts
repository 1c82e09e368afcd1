import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../../scripts/check/imports.mjs'

const sources = (await sourcesOf('.')).filter((path) => !path.includes('/tests/'))

test('no folder of core, server and doctor has more than 16 files, components aside', () => {
  const counts = new Map<string, number>()
  for (const path of sources.filter((path) => /^src\/(core|server|doctor)\//.test(path))) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  counts.delete('src/core/ui')
  expect(counts.size).toBeGreaterThan(15)
  expect([...counts].filter(([, count]) => count > 16)).toEqual([])
})

test('no source file has more than 300 lines, and one in ten more than 180', () => {
  const lengths = sources.map((path) => readFileSync(path, 'utf8').split('\n').length - 1)
  const sorted = lengths.toSorted((a, b) => a - b)
  expect(sorted.at(-1)).toBeLessThanOrEqual(300)
  expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThanOrEqual(180)
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(100)
})
