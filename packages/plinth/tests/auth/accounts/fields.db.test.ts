import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emailField, nameField } from '#auth/accounts/fields'
import { users } from '#db/schema'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

/** In one transaction that is rolled back. */
async function store(rows: { email: string; name: string }[]): Promise<void> {
  const rollback = new Error('rollback')
  await db.database
    .transaction(async (transaction) => {
      await transaction.insert(users).values(rows).onConflictDoNothing()
      throw rollback
    })
    .catch((error) => {
      if (error !== rollback) throw error
    })
}

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 })

test('the database accepts every name that the field accepts', async () => {
  const names = fc
    .sample(anyText, { numRuns: 5000, seed: 7 })
    .map((text) => nameField.safeParse(text).data)
    .filter((name) => name !== undefined)
  expect(names.length).toBeGreaterThan(1000)
  await store(names.map((name, index) => ({ name, email: `a${index}@example.com` })))
})

test('the database accepts every email that the field accepts, in any script', async () => {
  const letter = fc.integer({ min: 0x21, max: 0x2fff }).map((code) => String.fromCodePoint(code))
  const emails = fc
    .sample(
      fc.tuple(
        fc.string({ unit: letter, minLength: 1, maxLength: 9 }),
        fc.string({ unit: letter, minLength: 1, maxLength: 9 }),
      ),
      { numRuns: 4000, seed: 7 },
    )
    .map((halves) => emailField.safeParse(halves.join('@')).data)
    .filter((email) => email !== undefined)
  expect(emails.length).toBeGreaterThan(500)
  await store(emails.map((email) => ({ email, name: 'Ann' })))
})
