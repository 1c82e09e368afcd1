import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../../scripts/check/imports.mjs'

const sources = (await sourcesOf('.')).filter((path) => !path.includes('/tests/'))

test('no folder of core, server and doctor has more than 16 files', () => {
  const counts = new Map<string, number>()
  for (const path of sources.filter((path) => /^src\/(core|server|doctor)\//.test(path))) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  expect(counts.size).toBeGreaterThan(15)
  expect([...counts].filter(([, count]) => count > 16)).toEqual([])
})
