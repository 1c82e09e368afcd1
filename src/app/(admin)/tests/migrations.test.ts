import { readFileSync } from 'node:fs'
import { parseMigration } from 'plinth/db/migrate/plan'
import { expect, test } from 'vitest'

/** Applications have applied them. Add a new migration instead of changing one. */
test.each([
  ['0001_initial', '980e4fe39ee19e9c7c1af373922b469e0c2feaec1717755f8023b142d9c19065'],
  ['0002_invitation_order', '709b43ae2299b739acde4b08c3e184b463af7dc3c4983b9e9c4506a1463d168a'],
])('%s is frozen', (name, hash) => {
  const text = readFileSync(`src/app/(admin)/migrations/${name}.sql`, 'utf8')
  expect(parseMigration(text).hash).toBe(hash)
})
