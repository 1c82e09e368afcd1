import { configure } from '@tests/support/configure'
import { testDatabase } from '@tests/support/database'
import { everythingIn } from '@tests/support/everything'
import { lastEvent } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { installed } from '@/core/auth/providers/installed'
import { accounts } from '@/core/db/schema'
import { isRefusal } from '@/core/guard/action-result'
import { findWaysIn, unlinkAccount } from '../../data/ways-in'
import { newPerson } from '../people'

const db = testDatabase()
const all = installed.map(({ id }) => id)

beforeAll(() => {
  const keys = installed.flatMap(({ settings }) => [settings.clientId, settings.clientSecret])
  configure(Object.fromEntries(keys.map((name) => [name, 'set'])))
})

const linkedOf = async (id: string) =>
  (await db.database.select().from(accounts).where(eq(accounts.userId, id))).map(
    ({ provider }) => provider,
  )

describe.each(installed)('$id', ({ id, name }) => {
  const others = all.filter((other) => other !== id)

  test('the ways in are what is linked, what could be, and what can be done without', async () => {
    const { scope } = await newPerson(db.database, { providers: [id] })
    const ways = await findWaysIn(scope)
    expect(ways.password).toBe(true)
    expect(ways.providers.map((way) => way.id)).toEqual(all)
    expect(ways.providers).toContainEqual({
      id,
      name,
      linkedAt: expect.any(Date),
      canBeUnlinked: true,
    })
    for (const way of ways.providers.filter((other) => other.id !== id)) {
      expect(way).toMatchObject({ linkedAt: undefined, canBeUnlinked: false })
    }
    const only = await newPerson(db.database, { password: false, providers: [id] })
    const left = await findWaysIn(only.scope)
    expect(left.password).toBe(false)
    expect(left.providers.map((way) => way.canBeUnlinked)).toEqual(all.map(() => false))
  })

  test('is unlinked when a password remains, and that is in the trail', async () => {
    const person = await newPerson(db.database, { providers: all })
    const other = await newPerson(db.database, { providers: [id] })
    expect(await unlinkAccount(person.scope, id)).toEqual({ unlinked: id })
    expect((await linkedOf(person.id)).sort()).toEqual([...others].sort())
    expect(await linkedOf(other.id)).toEqual([id])
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'unlink_account',
      outcome: 'success',
      actorId: person.id,
      targetId: person.id,
      address: person.scope.address,
      requestId: person.scope.requestId,
      details: { by: id },
    })
  })

  test('is not unlinked when it is the last way in', async () => {
    const person = await newPerson(db.database, { password: false, providers: all })
    for (const other of others) {
      expect(await unlinkAccount(person.scope, other)).toEqual({ unlinked: other })
    }
    const before = await everythingIn(db.database)
    expect(await unlinkAccount(person.scope, id)).toMatchObject({ code: 'conflict' })
    expect(await everythingIn(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'unlink_account',
      outcome: 'failure',
      details: { reason: 'conflict' },
    })
  })

  test('one whose keys are gone is no way in beside it, but can be unlinked', async () => {
    const person = await newPerson(db.database, { password: false, providers: [id, 'gone'] })
    const { providers } = await findWaysIn(person.scope)
    expect(providers.map((way) => [way.id, way.name, way.canBeUnlinked])).toEqual([
      ...installed.map((way) => [way.id, way.name, false]),
      ['gone', 'gone', true],
    ])
    expect(await unlinkAccount(person.scope, id)).toMatchObject({ code: 'conflict' })
    expect(await unlinkAccount(person.scope, 'gone')).toEqual({ unlinked: 'gone' })
  })
})

test('what is not linked, or is somebody else’s, is not unlinked', async () => {
  const person = await newPerson(db.database)
  await newPerson(db.database, { providers: all })
  const before = await everythingIn(db.database)
  for (const provider of [...all, '%', "' or 1=1 --"]) {
    expect(await unlinkAccount(person.scope, provider)).toMatchObject({ code: 'conflict' })
  }
  expect(await everythingIn(db.database)).toBe(before)
})

test('unlinks of all of them at once leave one way in', async () => {
  for (let round = 0; round < 20; round += 1) {
    const person = await newPerson(db.database, { password: false, providers: all })
    const results = await Promise.all(all.map((provider) => unlinkAccount(person.scope, provider)))
    expect(results.filter(isRefusal)).toMatchObject([{ code: 'conflict' }])
    expect(await linkedOf(person.id)).toHaveLength(1)
  }
})
