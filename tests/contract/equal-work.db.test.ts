import { beforeAll, expect, test, vi } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { hashingQueue } from '@/core/auth/hashing-queue'
import { nobody } from '@/core/auth/password'
import { users } from '@/core/db/schema'
import { singleton } from '@/core/singleton'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'

const db = testDatabase()

beforeAll(async () => {
  await createDemoAccounts(db.database)
  await db.database.insert(users).values({ email: 'without@example.com', name: 'No password' })
  // As at the start of the process, so that its making is not counted.
  await nobody()
})

/** Every hash of the process passes through this queue. */
const hashes = vi.spyOn(singleton('auth.hashing', hashingQueue), 'run')

async function refusedSignIn(email: string) {
  hashes.mockClear()
  const response = await newClient().signIn(email, 'not the password')
  const { requestId: _, ...body } = await response.json()
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id')
  return { status: response.status, body, headers, hashes: hashes.mock.calls.length }
}

test('a wrong password costs one hash and says the same, whoever it is for', async () => {
  const known = await refusedSignIn('viewer@example.com')
  expect(known).toMatchObject({ status: 401, hashes: 1, body: { code: 'invalid_credentials' } })
  expect(await refusedSignIn('nobody@example.com')).toEqual(known)
  expect(await refusedSignIn('without@example.com')).toEqual(known)
  expect(await refusedSignIn('no address at all')).toEqual(known)
})
