import { eq } from 'drizzle-orm'
import { providersOf } from 'plinth/auth/oauth/providers/providers'
import { accounts } from 'plinth/db/schema'
import { configure, lastEvent, snapshotDatabase, testDatabase } from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import { beforeAll, describe, expect, test } from 'vitest'
import { config } from '@/plinth.config'
import { unlinkAccount } from '../../actions'
import { findSignInMethods } from '../../data/sign-in-methods'
import { newUser } from '../users'

const installed = providersOf(config)

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

  test('lists linked and available providers and which can be unlinked', async () => {
    const { scope } = await newUser(db.database, { providers: [id] })
    const methods = await findSignInMethods(scope)
    expect(methods.password).toBe(true)
    expect(methods.providers.map((method) => method.id)).toEqual(all)
    expect(methods.providers).toContainEqual({
      id,
      name,
      linkedAt: expect.any(Date),
      canUnlink: true,
    })
    for (const method of methods.providers.filter((other) => other.id !== id)) {
      expect(method).toMatchObject({ linkedAt: undefined, canUnlink: false })
    }
    const only = await newUser(db.database, { password: false, providers: [id] })
    const remaining = await findSignInMethods(only.scope)
    expect(remaining.password).toBe(false)
    expect(remaining.providers.map((method) => method.canUnlink)).toEqual(all.map(() => false))
  })

  test('can be unlinked if a password remains, and audits it', async () => {
    const viewer = await newUser(db.database, { providers: all })
    const other = await newUser(db.database, { providers: [id] })
    expect(await unlinkAccount.run(viewer.scope, { provider: id })).toEqual({ unlinked: id })
    expect((await linkedOf(viewer.id)).sort()).toEqual([...others].sort())
    expect(await linkedOf(other.id)).toEqual([id])
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'unlink_account',
      outcome: 'success',
      actorId: viewer.id,
      targetId: viewer.id,
      ip: viewer.scope.ip,
      requestId: viewer.scope.requestId,
      details: { by: id },
    })
  })

  test('cannot be unlinked if it is the last sign-in method', async () => {
    const viewer = await newUser(db.database, { password: false, providers: all })
    for (const other of others) {
      expect(await unlinkAccount.run(viewer.scope, { provider: other })).toEqual({
        unlinked: other,
      })
    }
    const before = await snapshotDatabase(db.database)
    expect(await unlinkAccount.run(viewer.scope, { provider: id })).toMatchObject({
      code: 'conflict',
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'unlink_account',
      outcome: 'failure',
      details: { reason: 'conflict' },
    })
  })

  test('a provider that is no longer configured can be unlinked and does not count', async () => {
    const viewer = await newUser(db.database, { password: false, providers: [id, 'removed'] })
    const { providers } = await findSignInMethods(viewer.scope)
    expect(providers.map((method) => [method.id, method.name, method.canUnlink])).toEqual([
      ...installed.map((method) => [method.id, method.name, false]),
      ['removed', 'removed', true],
    ])
    expect(await unlinkAccount.run(viewer.scope, { provider: id })).toMatchObject({
      code: 'conflict',
    })
    expect(await unlinkAccount.run(viewer.scope, { provider: 'removed' })).toEqual({
      unlinked: 'removed',
    })
  })
})

test('rejects providers that are not linked to the user', async () => {
  const viewer = await newUser(db.database)
  await newUser(db.database, { providers: all })
  const before = await snapshotDatabase(db.database)
  for (const provider of [...all, '%', "' or 1=1 --"]) {
    expect(await unlinkAccount.run(viewer.scope, { provider })).toMatchObject({ code: 'conflict' })
  }
  expect(await snapshotDatabase(db.database)).toBe(before)
})

test('concurrent unlinks of all providers leave one sign-in method', async () => {
  for (let round = 0; round < 20; round += 1) {
    const viewer = await newUser(db.database, { password: false, providers: all })
    const results = await Promise.all(
      all.map((provider) => unlinkAccount.run(viewer.scope, { provider })),
    )
    expect(results.filter(isActionError)).toMatchObject([{ code: 'conflict' }])
    expect(await linkedOf(viewer.id)).toHaveLength(1)
  }
})
