import { Secret } from 'otpauth'
import { createMailCode } from 'plinth/auth/accounts/mail-codes'
import { cookieNames } from 'plinth/auth/sessions/cookie'
import { env } from 'plinth/config/env'
import { mailCodes } from 'plinth/db/schema'
import { databaseRows } from 'plinth/testing'
import { callAction, runningServer } from 'plinth/testing/server'
import { expect, test } from 'vitest'
import { codeForEnrollment } from '../../data/enrollment-code'
import { challengeId } from '../../data/factors/challenges'
import { findFactors } from '../../data/factors/factors'
import { codeAt, stepAt } from '../../data/factors/totp'
import { secondFactor } from '../../sign-in-step'
import { newAuthenticator } from '../authenticator'
import { addApp, newUser, password } from '../users'

// The test writes codes that the server accepts.
const AUTH_SECRET = 'only-for-tests-'.repeat(3)
const app = runningServer({ AUTH_SECRET, SECOND_FACTOR: 'everyone', TRUST_PROXY: '1' })

env().AUTH_SECRET = AUTH_SECRET

const lastEvent = async () => (await databaseRows(app).lastEvents(1))[0]

let browsers = 0

/** A browser that has entered the password. */
async function startSignIn(email: string) {
  browsers += 1
  const headers = { 'x-forwarded-for': `10.0.0.${browsers}` }
  const response = await fetch(`${app.url}/api/auth/signin`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  })
  const cookie = response.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  return browserWith({ ...headers, cookie: cookie.join('; ') })
}

/** A browser that has signed in with a provider. */
async function startProviderSignIn({ user, scope }: Awaited<ReturnType<typeof newUser>>) {
  browsers += 1
  const { challenge } = await app.database.transaction((tx) =>
    secondFactor.start(tx, scope, { user, by: 'github' }),
  )
  const { challenge: name } = cookieNames(app.url)
  const headers = { 'x-forwarded-for': `10.0.0.${browsers}`, cookie: `${name}=${challenge}` }
  const confirms = codeForEnrollment(challengeId(challenge), user.email)
  return { ...browserWith(headers), newCode: () => createMailCode(confirms) }
}

function browserWith(caller: Record<string, string>) {
  return {
    call: (name: string, input: object) => callAction(app.url, name, input, caller),
    /** That the page shows. */
    async secret() {
      const page = await fetch(`${app.url}/sign-in/enroll`, { headers: caller })
      const [, key] = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(await page.text()) ?? []
      return key && Buffer.from(Secret.fromBase32(key.replaceAll(' ', '')).bytes)
    },
  }
}

const codeOf = (secret: Buffer | '' | undefined) =>
  codeAt(secret || Buffer.alloc(20), stepAt(Date.now()))

test('a secret is shown to the sign-in that it was made for, and to no other', async () => {
  const { id, email } = await newUser(app.database)
  const thief = await startSignIn(email)
  const seen = await thief.secret()
  expect(seen).toHaveLength(20)
  const owner = await startSignIn(email)
  const own = await owner.secret()
  expect(own).toHaveLength(20)
  expect(own).not.toEqual(seen)
  expect(await thief.secret()).toBeUndefined()
  for (const secret of [seen, own]) {
    const result = await thief.call('enrollAuthenticatorApp', { code: codeOf(secret) })
    expect(result).toMatchObject({ ok: false, code: 'invalid' })
  }
  expect((await findFactors(id)).app).toBe(false)
  const added = await owner.call('enrollAuthenticatorApp', { code: codeOf(own) })
  expect(added).toMatchObject({ ok: true, data: { codes: expect.any(Array) } })
  expect((await findFactors(id)).app).toBe(true)
})

test('a password does not add a factor to an account that has one', async () => {
  const { id, email, scope } = await newUser(app.database)
  const { secret } = await addApp(app.database, scope)
  const before = await findFactors(id)
  const thief = await startSignIn(email)
  expect(await thief.secret()).toBeUndefined()
  const result = await thief.call('enrollAuthenticatorApp', { code: codeOf(secret) })
  expect(result).toMatchObject({ ok: false, code: 'invalid' })
  expect(await lastEvent()).toMatchObject({ action: 'sign_in', outcome: 'failure', targetId: id })
  const start = await thief.call('startPasskeyEnrollment', {})
  expect(start).toMatchObject({ ok: false, code: 'conflict' })
  expect(await findFactors(id)).toEqual(before)
})

test('nor to an account that has got one meanwhile', async () => {
  const { id, email } = await newUser(app.database)
  const thief = await startSignIn(email)
  const options = await thief.call('startPasskeyEnrollment', {})
  if ('redirected' in options || !options.ok) throw new Error('It was refused.')
  const { challenge } = options.data as { challenge: string }
  const owner = await startSignIn(email)
  const added = await owner.call('enrollAuthenticatorApp', { code: codeOf(await owner.secret()) })
  expect(added).toMatchObject({ ok: true })
  const origin = app.url.replace('127.0.0.1', 'localhost')
  const credential = newAuthenticator(id).register({ challenge, origin })
  const result = await thief.call('enrollPasskey', { credential, name: 'Thief' })
  expect(result).toMatchObject({ ok: false, code: 'conflict' })
  expect(await lastEvent()).toMatchObject({
    action: 'sign_in',
    outcome: 'failure',
    targetId: id,
    details: { with: 'passkey' },
  })
  expect(await findFactors(id)).toMatchObject({ app: true, passkeys: 0 })
})

test('a provider adds a factor only after a code from the mailbox', async () => {
  const user = await newUser(app.database)
  const browser = await startProviderSignIn(user)
  expect(await browser.secret()).toBeUndefined()
  const refused = { ok: false, code: 'conflict' }
  const early = await browser.call('enrollAuthenticatorApp', { code: '123456' })
  expect(early).toMatchObject(refused)
  expect(await browser.call('startPasskeyEnrollment', {})).toMatchObject(refused)
  const credential = newAuthenticator(user.id).register({ challenge: 'aW52ZW50ZWQ' })
  expect(await browser.call('enrollPasskey', { credential })).toMatchObject(refused)
  expect(await findFactors(user.id)).toMatchObject({ app: false, passkeys: 0 })

  const sent = await browser.call('sendEnrollmentCode', {})
  expect(sent).toEqual({ redirected: '/sign-in/enroll?sent=yes' })
  expect(await lastEvent()).toMatchObject({ action: 'request_security.enrollment_code' })
  // The server has written the mail.
  await expect.poll(() => app.database.$count(mailCodes), { timeout: 20_000 }).toBe(1)
  const wrong = await browser.call('confirmEnrollmentCode', { code: '0000-0000' })
  expect(wrong).toMatchObject({ ok: false, code: 'invalid', errors: [{ field: 'code' }] })
  expect(await lastEvent()).toMatchObject({ action: 'sign_in', outcome: 'failure' })
  const right = await browser.call('confirmEnrollmentCode', { code: await browser.newCode() })
  expect(right).toEqual({ redirected: '/sign-in/enroll' })
  const added = await browser.call('enrollAuthenticatorApp', {
    code: codeOf(await browser.secret()),
  })
  expect(added).toMatchObject({ ok: true, data: { codes: expect.any(Array) } })
  expect((await findFactors(user.id)).app).toBe(true)
})
