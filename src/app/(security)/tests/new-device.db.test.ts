import { mailQueue, sessions } from 'plinth/db/schema'
import { newClient, testDatabase } from 'plinth/testing'
import { beforeEach, expect, test } from 'vitest'
import { updateNotices } from '../actions'
import { notice } from '../notices'
import { addApp, newUser, nextCode, password, succeeded } from './users'

const db = testDatabase()

beforeEach(async () => {
  await db.database.delete(mailQueue)
})

/** A user who has signed in before, on another device. */
async function knownUser() {
  const user = await newUser(db.database)
  const browser = newClient()
  expect((await browser.signIn(user.email, password)).status).toBe(200)
  return { ...user, browser }
}

const mails = () => db.database.select().from(mailQueue)
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Firefox/144.0' }

const signInWith = (client: ReturnType<typeof newClient>, email: string) =>
  client.post('/api/auth/signin', { email, password, redirect: false }, firefox)

test('the first sign-in sends no mail', async () => {
  await knownUser()
  expect(await mails()).toEqual([])
})

test('a sign-in on a new device sends one', async () => {
  const { email } = await knownUser()
  const client = newClient()
  await signInWith(client, email)
  const [queued, ...others] = await mails()
  expect(others).toEqual([])
  expect(queued).toMatchObject({
    email,
    data: { kind: 'new_device', name: `Firefox on Linux, IP address ${client.ip}` },
  })
  const message = await notice.compose({ email, data: queued?.data })
  expect(message).toMatchObject({ to: email, subject: 'New sign-in to your account' })
  expect(message?.text).toContain('/account/security')
})

test('the same browser sends no second one, nor does a client without cookies', async () => {
  const { email, browser } = await knownUser()
  await browser.post('/api/auth/signout', {})
  await browser.signIn(email, password)
  expect(await mails()).toEqual([])
  const client = newClient()
  await signInWith(client, email)
  await db.database.delete(mailQueue)
  client.cookies.clear()
  await signInWith(client, email)
  expect(await mails()).toEqual([])
})

test('a user can turn it off', async () => {
  const { email, scope } = await knownUser()
  succeeded(await updateNotices.run(scope, { newDevice: false }))
  await signInWith(newClient(), email)
  expect(await mails()).toEqual([])
})

test('with a second factor it is sent when the sign-in is complete', async () => {
  const { email, scope } = await knownUser()
  const { secret } = await addApp(db.database, scope)
  await db.database.delete(mailQueue)
  await db.database.delete(sessions)
  const client = newClient()
  const { challenge } = await (await signInWith(client, email)).json()
  expect(await mails()).toEqual([])
  const body = { challenge, method: 'totp', code: nextCode(secret), redirect: false }
  expect((await client.post('/api/auth/signin/verify', body)).status).toBe(200)
  expect(await mails()).toMatchObject([{ email, data: { kind: 'new_device' } }])
})
