import { eq, sql } from 'drizzle-orm'
import { hashToken, newToken } from 'plinth/auth/sessions/cookie'
import { accountChanges, users } from 'plinth/db/schema'
import { newClient, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { confirmEmailChange, requestEmailChange } from '../../account/email/actions'
import { findEmailChange } from '../../data/email-changes'
import { emailChanges } from '../../schema'
import { newUser, succeeded } from '../users'
import { testMailbox } from './mailbox'

const db = testDatabase()
const mailbox = testMailbox(db)

// Installs the modules.
beforeAll(() => void newClient())

const reserve = (userId: string, email: string) =>
  db.database.insert(accountChanges).values({
    userId,
    at: sql`now()`,
    email,
    newEmail: 'new@example.com',
    link: 'open',
    endsAt: sql`now() + interval '1 day'`,
  })

test('a reserved email gets the same response, and a mail without a link', async () => {
  const { scope } = await newUser(db.database)
  const email = 'left@example.com'
  await reserve(crypto.randomUUID(), email)
  expect(succeeded(await requestEmailChange.run(scope, { email }))).toEqual({ email })
  const message = await mailbox.newest(email)
  expect(message.subject).toBe('This email cannot be used yet')
  expect(message.text).not.toContain('token=')
})

test('a confirmation of an email that was reserved since is refused', async () => {
  const { id, scope } = await newUser(db.database)
  const email = 'since@example.com'
  succeeded(await requestEmailChange.run(scope, { email }))
  const token = newToken()
  const isOwn = eq(emailChanges.userId, id)
  await db.database
    .update(emailChanges)
    .set({ tokenHash: hashToken(token) })
    .where(isOwn)
  await reserve(crypto.randomUUID(), email)
  expect(await findEmailChange(token)).toBeUndefined()
  expect(await confirmEmailChange.run(scope, { token })).toMatchObject({ code: 'conflict' })
  expect(await db.database.$count(users, sql`id = ${id} and email <> ${email}`)).toBe(1)
})

test('the user who has left the email can return to it', async () => {
  const { id, scope } = await newUser(db.database)
  const email = 'own@example.com'
  await reserve(id, email)
  succeeded(await requestEmailChange.run(scope, { email }))
  const [token = ''] = /token=([\w-]{43})/.exec((await mailbox.newest(email)).text)?.slice(1) ?? []
  expect(await confirmEmailChange.run(scope, { token })).toHaveProperty('token')
  expect(await db.database.$count(users, sql`id = ${id} and email = ${email}`)).toBe(1)
})
