import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Applications have applied it. Add a new migration instead of changing this one. */
test('0001_initial is frozen', () => {
  const statements = readFileSync('src/app/(content)/migrations/0001_initial.sql', 'utf8')
  expect(createHash('sha256').update(statements).digest('hex')).toBe(
    'db3de11097c99e6ca9f0245597ca710af665fbac888b92ce8384fe8fee93f742',
  )
})
