import { testDatabase } from '@tests/support/database'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { findSession } from '@/core/auth/sessions'
import { signInWithPassword } from '@/core/auth/sign-in'
import { sessions, users } from '@/core/db/schema'
import { isRefusal } from '@/core/guard/action-result'
import { changePassword } from '../data/change-password'
import { deleteAccount } from '../data/delete-account'
import { endOtherSessions, listSessions } from '../data/sessions'
import { updateProfile } from '../data/update-profile'
import { unlinkAccount } from '../data/ways-in'
import { newPerson, password, signIn } from './people'

const db = testDatabase()

let keeper: Awaited<ReturnType<typeof newPerson>>
beforeAll(async () => {
  keeper = await newPerson(db.database, { role: 'admin' })
})

const codeOf = (result: unknown) => (isRefusal(result) ? result.code : 'done')

test('two admins who are the last delete their accounts at once: one stays, and nobody waits in vain', async () => {
  for (let round = 0; round < 20; round += 1) {
    const pair = [
      await newPerson(db.database, { role: 'admin', password: false }),
      await newPerson(db.database, { role: 'admin', password: false }),
    ]
    const ids = pair.map(({ id }) => id)
    await db.database
      .update(users)
      .set({ role: 'viewer' })
      .where(sql`role = 'admin' and id not in ${ids}`)
    const results = await Promise.all(
      pair.map(({ scope, email }) =>
        deleteAccount(scope, { confirmation: email, currentPassword: undefined }),
      ),
    )
    expect(results.map(codeOf).sort()).toEqual(['conflict', 'done'])
    expect(await db.database.$count(users, eq(users.role, 'admin'))).toBe(1)
  }
  await db.database.update(users).set({ role: 'admin' }).where(eq(users.id, keeper.id))
})

test('an account that is deleted while all kinds of things happen to it is deleted whole', async () => {
  for (let round = 0; round < 10; round += 1) {
    const person = await newPerson(db.database, { providers: ['one-service', 'another-service'] })
    const { scope, email, id } = person
    const second = await signIn(db.database, person.user)
    const results = await Promise.all([
      updateProfile(scope, { name: 'New' }),
      deleteAccount(scope, { confirmation: email, currentPassword: password }),
      signInWithPassword({ ...scope, session: undefined }, { email, password }, 'late'),
      endOtherSessions(second.scope),
      unlinkAccount(second.scope, 'one-service'),
      deleteAccount(second.scope, { confirmation: email, currentPassword: password }),
    ])
    const allowed = ['done', 'unauthenticated']
    for (const result of results) expect(allowed).toContain(codeOf(result))
    // Whichever ended the other's session, that one was not ended itself.
    expect(await db.database.$count(users, eq(users.id, id))).toBe(0)
    expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(0)
  }
})

test('two password changes from two devices at once: one counts, the other device is out', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await newPerson(db.database)
    const devices = [person, await signIn(db.database, person.user)]
    const words = ['one that is quite new', 'two that is quite new']
    const results = await Promise.all(
      devices.map(({ scope }, index) =>
        changePassword(
          scope,
          { currentPassword: password, newPassword: words[index] ?? '' },
          undefined,
        ),
      ),
    )
    expect(results.map(codeOf).sort()).toEqual(['done', 'unauthenticated'])
    const renewed = results.find((result) => typeof result === 'object' && 'token' in result)
    if (!renewed || typeof renewed !== 'object' || !('token' in renewed)) throw new Error('none')
    const session = await findSession(renewed.token)
    if (!session) throw new Error('none')
    expect(await listSessions({ ...person.scope, session }, 10)).toHaveLength(1)
  }
})
