import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emailField, nameField } from '@/core/auth/fields'
import { users } from '@/core/db/schema'
import { testDatabase } from '../support/database'

const db = testDatabase()

/** All at once, and nothing stays. */
async function store(rows: { email: string; name: string }[]): Promise<void> {
  const undone = new Error('undone')
  await db.database
    .transaction(async (transaction) => {
      await transaction.insert(users).values(rows).onConflictDoNothing()
      throw undone
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
}

const odd = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 })

test('the database takes every name that the field takes', async () => {
  const names = fc
    .sample(odd, { numRuns: 5000, seed: 7 })
    .map((text) => nameField.safeParse(text).data)
    .filter((name) => name !== undefined)
  expect(names.length).toBeGreaterThan(1000)
  await store(names.map((name, index) => ({ name, email: `a${index}@example.com` })))
})

test('the database takes every address that the field takes, in letters of any language', async () => {
  const letter = fc.integer({ min: 0x21, max: 0x2fff }).map((code) => String.fromCodePoint(code))
  const addresses = fc
    .sample(
      fc.tuple(
        fc.string({ unit: letter, minLength: 1, maxLength: 9 }),
        fc.string({ unit: letter, minLength: 1, maxLength: 9 }),
      ),
      { numRuns: 4000, seed: 7 },
    )
    .map((halves) => emailField.safeParse(halves.join('@')).data)
    .filter((email) => email !== undefined)
  expect(addresses.length).toBeGreaterThan(500)
  await store(addresses.map((email) => ({ email, name: 'Ann' })))
})
