import { testDatabase } from '@tests/support/database'
import { everythingIn } from '@tests/support/everything'
import { lastEvent } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '@/core/db/schema'
import { env } from '@/core/env'
import { isRefusal } from '@/core/guard/action-result'
import { findWaysIn, unlinkAccount } from '../data/ways-in'
import { newPerson } from './people'

const db = testDatabase()

beforeAll(() => {
  Object.assign(env(), {
    AUTH_GITHUB_ID: 'id',
    AUTH_GITHUB_SECRET: 'secret',
    AUTH_GOOGLE_ID: 'id',
    AUTH_GOOGLE_SECRET: 'secret',
  })
})

const linkedOf = async (id: string) =>
  (await db.database.select().from(accounts).where(eq(accounts.userId, id))).map(
    ({ provider }) => provider,
  )

test('the ways in are what is linked, what could be, and what can be done without', async () => {
  const { scope } = await newPerson(db.database, { providers: ['github'] })
  expect(await findWaysIn(scope)).toMatchObject({
    password: true,
    providers: [
      { id: 'github', name: 'GitHub', linkedAt: expect.any(Date), canBeUnlinked: true },
      { id: 'google', name: 'Google', linkedAt: undefined, canBeUnlinked: false },
    ],
  })
  const only = await newPerson(db.database, { password: false, providers: ['github'] })
  expect(await findWaysIn(only.scope)).toMatchObject({
    password: false,
    providers: [{ id: 'github', canBeUnlinked: false }, { id: 'google' }],
  })
})

test('one is unlinked when a password remains, and that is in the trail', async () => {
  const person = await newPerson(db.database, { providers: ['github', 'google'] })
  const other = await newPerson(db.database, { providers: ['github'] })
  expect(await unlinkAccount(person.scope, 'github')).toEqual({ unlinked: 'github' })
  expect(await linkedOf(person.id)).toEqual(['google'])
  expect(await linkedOf(other.id)).toEqual(['github'])
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'unlink_account',
    outcome: 'success',
    actorId: person.id,
    targetId: person.id,
    address: person.scope.address,
    requestId: person.scope.requestId,
    details: { by: 'github' },
  })
})

test('never the last way in', async () => {
  const person = await newPerson(db.database, { password: false, providers: ['github', 'google'] })
  expect(await unlinkAccount(person.scope, 'google')).toEqual({ unlinked: 'google' })
  const before = await everythingIn(db.database)
  expect(await unlinkAccount(person.scope, 'github')).toMatchObject({ code: 'conflict' })
  expect(await everythingIn(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'unlink_account',
    outcome: 'failure',
    details: { reason: 'conflict' },
  })
})

test('a provider whose keys are gone is no way in, but can be unlinked', async () => {
  const person = await newPerson(db.database, { password: false, providers: ['github', 'gone'] })
  expect((await findWaysIn(person.scope)).providers).toMatchObject([
    { id: 'github', canBeUnlinked: false },
    { id: 'google', canBeUnlinked: false },
    { id: 'gone', name: 'gone', canBeUnlinked: true },
  ])
  expect(await unlinkAccount(person.scope, 'github')).toMatchObject({ code: 'conflict' })
  expect(await unlinkAccount(person.scope, 'gone')).toEqual({ unlinked: 'gone' })
})

test('what is not linked, or is somebody else’s, is not unlinked', async () => {
  const person = await newPerson(db.database)
  await newPerson(db.database, { providers: ['github'] })
  const before = await everythingIn(db.database)
  for (const provider of ['github', 'google', '%', "' or 1=1 --"]) {
    expect(await unlinkAccount(person.scope, provider)).toMatchObject({ code: 'conflict' })
  }
  expect(await everythingIn(db.database)).toBe(before)
})

test('two unlinks at once leave one way in', async () => {
  for (let round = 0; round < 20; round += 1) {
    const person = await newPerson(db.database, {
      password: false,
      providers: ['github', 'google'],
    })
    const results = await Promise.all(
      ['github', 'google'].map((provider) => unlinkAccount(person.scope, provider)),
    )
    expect(results.filter(isRefusal)).toMatchObject([{ code: 'conflict' }])
    expect(await linkedOf(person.id)).toHaveLength(1)
  }
})
