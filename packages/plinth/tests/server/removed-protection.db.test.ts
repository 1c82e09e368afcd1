import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SignInStep } from '#auth/sessions/steps'
import { parseEnv } from '#config/env'
import { findRemovedProtection } from '#db/migrate/migrate'
import { auditEvents, users } from '#db/schema'
import { requireProtection } from '#server/start'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import { captureLog } from '../support/log'

const db = testDatabase()
const { lastEvents } = databaseRows(db)

const step: SignInStep = {
  isRequired: async () => false,
  start: async () => ({ challenge: '', methods: [], href: '' }),
}
const doorLock = { id: 'door-lock', signInSteps: [step] }

const settings = (accepted = '', more: Record<string, string> = {}) =>
  parseEnv({ ...more, ACCEPT_REMOVED_PROTECTION: accepted })

async function protectUsers(count: number): Promise<void> {
  const emails = Array.from({ length: count }, (_, at) => `protected-${at}@example.com`)
  await db.database
    .insert(users)
    .values(emails.map((email) => ({ email, name: 'Protected', role: 'viewer' as const })))
}

/** Audit events cannot be deleted. */
let earlier = 0
const countAcceptances = () =>
  db.database.$count(auditEvents, eq(auditEvents.action, 'accept_removed_protection'))
const acceptances = async () => (await countAcceptances()) - earlier

beforeEach(async () => {
  earlier = await countAcceptances()
  await db.database.execute(
    sql`create view door_lock_protected_users as
        select id as user_id from users where name = 'Protected'`,
  )
})

afterEach(async () => {
  await db.database.execute(sql`drop view door_lock_protected_users`)
  await db.database.delete(users)
})

describe('a removed module that protected users', () => {
  test.each([
    [1, 'One user has'],
    [3, '3 users have'],
  ])('stops the start while %i are protected', async (count, who) => {
    await protectUsers(count)
    await expect(requireProtection([], settings())).rejects.toMatchObject({
      name: 'StartupError',
      message: `${who} a second factor, but the module door-lock is not installed, so a password alone signs in. Add it again: npx plinth add door-lock. Or accept this: ACCEPT_REMOVED_PROTECTION=door-lock`,
    })
    expect(await acceptances()).toBe(0)
  })

  test.each(['1', 'true', 'door', 'door_lock', 'Door-Lock', '*', 'security'])(
    'is not accepted as %s',
    async (accepted) => {
      await protectUsers(1)
      await expect(requireProtection([], settings(accepted))).rejects.toThrow('door-lock')
      expect(await acceptances()).toBe(0)
    },
  )

  test.each(['door-lock', 'other, door-lock'])(
    'is accepted by its name, as %s, with an audit event and a line of the log',
    async (accepted) => {
      await protectUsers(2)
      const log = captureLog()
      await requireProtection([], settings(accepted))
      expect(log().map(({ msg }) => msg)).toEqual([
        '2 users have a second factor, but the module door-lock is not installed, so a password alone signs in. ACCEPT_REMOVED_PROTECTION accepts this.',
      ])
      expect(await acceptances()).toBe(1)
      expect(await lastEvents(1)).toMatchObject([
        {
          action: 'accept_removed_protection',
          outcome: 'success',
          actorId: null,
          details: { module: 'door-lock', users: 2 },
        },
      ])
    },
  )

  test('does not matter once no user is protected', async () => {
    await requireProtection([], settings())
    await requireProtection([], settings('door-lock'))
    expect(await acceptances()).toBe(0)
  })
})

test('an installed module protects its users', async () => {
  await protectUsers(2)
  await requireProtection([doorLock], settings())
  expect(await findRemovedProtection(db.connection, [doorLock])).toEqual([])
  expect(await acceptances()).toBe(0)
})

test('a view of another name is not read', async () => {
  await db.database.execute(sql`create view "Door;_protected_users" as select 1 / 0 as user_id`)
  await requireProtection([], settings())
  await db.database.execute(sql`drop view "Door;_protected_users"`)
})

describe.each(['admins', 'everyone'])('SECOND_FACTOR=%s', (SECOND_FACTOR) => {
  test('stops the start without a module that has second factors', async () => {
    await expect(requireProtection([], settings('', { SECOND_FACTOR }))).rejects.toMatchObject({
      name: 'StartupError',
      message: `SECOND_FACTOR is ${SECOND_FACTOR}, but no installed module has second factors. Add it: npx plinth add security`,
    })
    await expect(
      requireProtection([{ id: 'other' }], settings('security', { SECOND_FACTOR })),
    ).rejects.toThrow('no installed module has second factors')
  })

  test('starts with one', async () => {
    await requireProtection([doorLock], settings('', { SECOND_FACTOR }))
  })
})
