import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Applications have applied it. Add a new migration instead of changing this one. */
test('0001_initial is frozen', () => {
  const statements = readFileSync('src/app/(admin)/migrations/0001_initial.sql', 'utf8')
  expect(createHash('sha256').update(statements).digest('hex')).toBe(
    '980e4fe39ee19e9c7c1af373922b469e0c2feaec1717755f8023b142d9c19065',
  )
})
