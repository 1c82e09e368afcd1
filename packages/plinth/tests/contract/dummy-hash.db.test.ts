import { beforeAll, expect, test, vi } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { dummyHash, hashingQueue } from '#auth/passwords/hash'
import { users } from '#db/schema'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

beforeAll(async () => {
  await createDemoAccounts(db.database)
  await db.database.insert(users).values({ email: 'without@example.com', name: 'No password' })
  // Created at the start of the process, so it is not counted below.
  await dummyHash()
})

/** Every hash of the process goes through this queue. */
const hashes = vi.spyOn(hashingQueue(), 'run')

async function failedSignIn(email: string) {
  hashes.mockClear()
  const response = await newClient().signIn(email, 'not the password')
  const { requestId: _, ...body } = await response.json()
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id')
  return { status: response.status, body, headers, hashes: hashes.mock.calls.length }
}

test('a failed sign-in costs one hash and looks the same for every email', async () => {
  const registered = await failedSignIn('viewer@example.com')
  expect(registered).toMatchObject({
    status: 401,
    hashes: 1,
    body: { code: 'invalid_credentials' },
  })
  expect(await failedSignIn('unknown@example.com')).toEqual(registered)
  expect(await failedSignIn('without@example.com')).toEqual(registered)
  expect(await failedSignIn('not an email')).toEqual(registered)
})
