import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { codeOf } from '../../scripts/check/imports.mjs'

const sources = await codeOf('.')

test('no folder of the engine and of the app has more than 16 files', () => {
  const counts = new Map<string, number>()
  for (const path of sources) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  expect(counts.size).toBeGreaterThan(15)
  expect([...counts].filter(([, count]) => count > 16)).toEqual([])
})
