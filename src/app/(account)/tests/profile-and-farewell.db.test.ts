import { testDatabase } from '@tests/support/database'
import { everythingIn } from '@tests/support/everything'
import { lastEvent } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createLink } from '@/core/auth/links'
import { findSession } from '@/core/auth/sessions'
import { mailQueue, users } from '@/core/db/schema'
import { queueMail } from '@/core/mail/queue'
import { deleteAccount } from '../data/delete-account'
import { updateProfile } from '../data/update-profile'
import { newPerson, password, signIn } from './people'

const db = testDatabase()

const personOf = async (id: string) =>
  (await db.database.select().from(users).where(eq(users.id, id)))[0]

test('one’s own name is changed, seen at once, and in the trail', async () => {
  const person = await newPerson(db.database)
  const other = await newPerson(db.database)
  expect(await updateProfile(person.scope, { name: 'Ada' })).toEqual({ name: 'Ada' })
  expect((await findSession(person.token))?.user.name).toBe('Ada')
  const stored = await personOf(person.id)
  expect(stored?.updatedAt.getTime()).toBeGreaterThan(person.user.updatedAt.getTime() - 1)
  expect(await personOf(other.id)).toEqual(other.user)
  const event = await lastEvent(db.database)
  expect(event).toMatchObject({
    action: 'update_profile',
    outcome: 'success',
    actorId: person.id,
    targetId: person.id,
    address: person.scope.address,
    requestId: person.scope.requestId,
  })
  expect(JSON.stringify(event)).not.toContain('Ada')
})

describe('deleting one’s account', () => {
  beforeAll(() => newPerson(db.database, { role: 'admin' }))

  test('takes everything of theirs and nothing of others’; the trail stays', async () => {
    const bystander = await newPerson(db.database, { providers: ['one-service'] })
    const before = await everythingIn(db.database)
    const person = await newPerson(db.database, { providers: ['one-service', 'another-service'] })
    await signIn(db.database, person.user)
    const { email, id, scope } = person
    await createLink(db.database, 'reset_password', { email, userId: id })
    await createLink(db.database, 'verify_email', { email, userId: null })
    await queueMail(db.database, { purpose: 'reset_password', email })
    const typed = `  ${email.toUpperCase()} `
    const result = await deleteAccount(scope, { confirmation: typed, currentPassword: password })
    expect(result).toEqual({ deleted: true })
    expect(await everythingIn(db.database)).toBe(before)
    expect(await db.database.$count(mailQueue, eq(mailQueue.email, email))).toBe(0)
    expect(await findSession(person.token)).toBeUndefined()
    expect(await findSession(bystander.token)).toBeDefined()
    const event = await lastEvent(db.database)
    expect(event).toMatchObject({
      action: 'delete_account',
      outcome: 'success',
      actorId: id,
      targetId: id,
      address: scope.address,
      requestId: scope.requestId,
    })
    expect(JSON.stringify(event)).not.toMatch(new RegExp(`${email}|${password}`))
  })

  test('without a password asks for the address alone', async () => {
    const { scope, email, id } = await newPerson(db.database, { password: false })
    const farewell = { confirmation: email, currentPassword: undefined }
    expect(await deleteAccount(scope, farewell)).toEqual({ deleted: true })
    expect(await personOf(id)).toBeUndefined()
  })

  test('is refused for another address, a wrong password, or none', async () => {
    const { scope, email, id } = await newPerson(db.database)
    const other = await newPerson(db.database)
    const before = await everythingIn(db.database)
    const refused = async (confirmation: string, word: string | undefined, field: string) => {
      const farewell = { confirmation, currentPassword: word }
      expect(await deleteAccount(scope, farewell)).toMatchObject({
        code: 'invalid',
        errors: [{ field }],
      })
    }
    await refused(other.email, password, 'confirmation')
    await refused('', password, 'confirmation')
    await refused(email, undefined, 'currentPassword')
    await refused(email, 'not the password', 'currentPassword')
    expect(await everythingIn(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'delete_account',
      outcome: 'failure',
      actorId: id,
      details: { reason: 'wrong_password' },
    })
  })

  test('is refused to the last admin, with a sentence', async () => {
    await db.database.update(users).set({ role: 'admin' })
    const { scope, email, id } = await newPerson(db.database, { role: 'admin' })
    await db.database.delete(users).where(eq(users.role, 'viewer'))
    for (const { id: other } of await db.database.select().from(users)) {
      if (other !== id) await db.database.delete(users).where(eq(users.id, other))
    }
    const before = await everythingIn(db.database)
    const farewell = { confirmation: email, currentPassword: password }
    expect(await deleteAccount(scope, farewell)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('last admin'),
    })
    expect(await everythingIn(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'delete_account',
      outcome: 'failure',
      details: { reason: 'conflict' },
    })
  })
})
