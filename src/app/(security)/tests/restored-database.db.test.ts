import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { prepareRestoredDatabase } from 'plinth/auth/accounts/users'
import { users } from 'plinth/db/schema'
import { testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { module } from '../module'
import {
  emailChanges,
  passkeyChallenges,
  passkeys,
  recoveryCodes,
  rememberedBrowsers,
  signInChallenges,
  signInLinks,
} from '../schema'

const tested = testDatabase()

const later = sql<Date>`now() + interval '1 hour'`
const hash = () => randomBytes(32)

test('what a user has proved is not proved in a restored database; factors stay', async () => {
  const { database } = tested
  const email = 'user@example.com'
  const [user] = await database.insert(users).values({ email, name: 'User' }).returning()
  const userId = user?.id ?? ''
  const expiring = { userId, expiresAt: later }
  await database
    .insert(signInChallenges)
    .values({ ...expiring, tokenHash: hash(), provedBy: 'password' })
  await database.insert(passkeyChallenges).values({ ...expiring, challengeHash: hash() })
  await database.insert(signInLinks).values({
    ...{ ...expiring, email, tokenHash: hash(), browserHash: hash(), codeHash: hash() },
  })
  await database.insert(emailChanges).values({ ...expiring, id: randomUUID(), email })
  await database.insert(rememberedBrowsers).values({ ...expiring, deviceHash: hash() })
  await database.insert(recoveryCodes).values({ userId, codeHash: hash() })
  await database.insert(passkeys).values({
    ...{ id: 'passkey', userId, name: 'Phone', publicKey: hash(), counter: 1, synced: false },
  })

  expect(await prepareRestoredDatabase([module])).toMatchObject({ links: 5 })
  const ended = [signInChallenges, passkeyChallenges, signInLinks, emailChanges, rememberedBrowsers]
  for (const table of ended) expect(await database.$count(table)).toBe(0)
  for (const table of [recoveryCodes, passkeys]) {
    expect(await database.$count(table)).toBe(1)
  }
})
