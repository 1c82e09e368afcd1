import { and, eq } from 'drizzle-orm'
import { env } from 'plinth/config/env'
import { accountChanges, accounts } from 'plinth/db/schema'
import { recoveryMail } from 'plinth/recovery/recovery-mail'
import { parseActionResponse, runningServer, sendAction, submitForm } from 'plinth/testing/server'
import { expect, test } from 'vitest'
import { findFactors } from '../../../data/factors/factors'
import { addApp, newPasskeyUser, newUser, nextCode, password } from '../../users'
import { recoveringIn } from '../recovering'

// The test computes links that the server accepts.
const AUTH_SECRET = 'only-for-tests-'.repeat(3)
const app = runningServer({
  AUTH_SECRET,
  TRUST_PROXY: '1',
  AUTH_GITHUB_ID: 'id',
  AUTH_GITHUB_SECRET: 'secret',
})
env().AUTH_SECRET = AUTH_SECRET

const { settle, setEmail, removeApp } = recoveringIn(app)

type User = Awaited<ReturnType<typeof newUser>>

/** The link for the first change since. */
async function linkOf({ id, email }: User): Promise<string> {
  const isOwn = and(eq(accountChanges.userId, id), eq(accountChanges.email, email))
  const [change] = await app.database
    .select()
    .from(accountChanges)
    .where(isOwn)
    .orderBy(accountChanges.position)
  const message = await recoveryMail.account_changed({ email, data: { changeId: change?.id } })
  return /token=([\w-]{43})/.exec(message?.text ?? '')?.[1] ?? ''
}

let browsers = 0

/** Keeps cookies, and has no JavaScript. */
function newBrowser() {
  browsers += 1
  const cookies = new Map<string, string>()
  const headers = (): Record<string, string> => ({
    'x-forwarded-for': `10.1.0.${browsers}`,
    'sec-fetch-site': 'same-origin',
    cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
  })
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  return {
    async call(name: string, input: object) {
      return parseActionResponse(name, keep(await sendAction(app.url, name, input, headers())))
    },
    async page(path: string): Promise<string> {
      const response = await fetch(`${app.url}${path}`, { headers: headers(), redirect: 'manual' })
      return response.headers.get('location') ?? response.text()
    },
    submit: async (path: string, fields: Record<string, string>) =>
      keep(await submitForm(`${app.url}${path}`, fields, headers())),
  }
}

test('a removed app is proved and the account taken back, without JavaScript', async () => {
  const user = await newUser(app.database)
  const { secret } = await addApp(app.database, user.scope)
  await settle()
  await removeApp(user)
  await setEmail(user, `thief-of-${user.email}`)
  const token = await linkOf(user)
  const page = `/recover/factor?token=${token}&method=app`
  const browser = newBrowser()
  expect(await browser.page(page)).toBe(`/recover?token=${token}`)
  await browser.submit(`/recover?token=${token}`, {})
  expect(await browser.page(`/recover?token=${token}`)).toContain(page.replace('&', '&amp;'))
  const wrong = await browser.submit(page, { code: '000000' })
  expect(await wrong.text()).toContain('The code is incorrect')
  const right = await browser.submit(page, { code: nextCode(secret) })
  expect(right.headers.get('location')).toBe(`/recover?token=${token}`)
  expect(await browser.page(`/recover?token=${token}`)).toContain('Take back my account')
  expect(await newBrowser().page(`/recover?token=${token}`)).not.toContain('Take back my account')
  const newPassword = 'five plain words for tests'
  expect(await browser.call('completeRecovery', { token, password: newPassword })).toEqual({
    redirected: '/recover/done',
  })
  expect(await findFactors(user.id)).toMatchObject({ app: true })
})

test('who proves with a recovery code goes on to new ones', async () => {
  const user = await newUser(app.database)
  const { codes } = await addApp(app.database, user.scope)
  const [code = ''] = codes
  await settle()
  await setEmail(user, `thief-of-${user.email}`)
  const token = await linkOf(user)
  const browser = newBrowser()
  await browser.call('openRecovery', { token })
  expect(await browser.call('proveRecoveryWithCode', { token, code })).toEqual({
    redirected: `/recover?token=${token}`,
  })
  const page = await browser.page(`/recover?token=${token}`)
  expect(page).toContain('Use your authenticator app')
  expect(page).not.toContain('Use a recovery code')
  const newPassword = 'five plain words for tests'
  expect(await browser.call('completeRecovery', { token, password: newPassword })).toEqual({
    redirected: '/account/security/codes',
  })
  const created = await browser.submit('/account/security/codes', {})
  expect(await created.text()).toContain('Save these recovery codes now')
  expect(await findFactors(user.id)).toMatchObject({ recoveryCodes: 10 })
})

test('after a weak proof the page warns that codes end and the factor is asked for', async () => {
  const user = await newUser(app.database)
  await addApp(app.database, user.scope)
  await settle()
  await setEmail(user, `thief-of-${user.email}`)
  const token = await linkOf(user)
  const browser = newBrowser()
  await browser.call('openRecovery', { token })
  await browser.call('proveRecoveryPassword', { token, currentPassword: password })
  const page = await browser.page(`/recover?token=${token}`)
  expect(page).toContain('Take back my account')
  expect(page).toContain('If you have lost it, use a recovery code now')
  const next = { token, password: 'five plain words for tests' }
  expect(await browser.call('completeRecovery', next)).toEqual({
    redirected: '/sign-in/verify?callbackUrl=%2Frecover%2Fdone',
  })
})

test('a passkey needs JavaScript, and a provider does not', async () => {
  const user = await newPasskeyUser(app.database)
  const account = { provider: 'github', providerAccountId: '1', userId: user.id }
  await app.database.insert(accounts).values(account)
  await settle()
  await setEmail(user, `thief-of-${user.email}`)
  const token = await linkOf(user)
  const browser = newBrowser()
  await browser.call('openRecovery', { token })
  const factors = await browser.page(`/recover/factor?token=${token}&method=passkey`)
  expect(factors).toContain('Passkeys need JavaScript.')
  expect(factors).toContain(`/recover/factor?token=${token}&amp;method=codes`)
  const page = await browser.page(`/recover?token=${token}&error=account_not_linked`)
  expect(page).toMatch(/<form[^>]*action="\/api\/auth\/signin\/github"/)
  expect(page).toContain(`name="recovery" value="${token}"`)
  expect(page).toContain('This is not the account that was linked before the changes.')
  const invalid = { token: 'a'.repeat(43), code: '123456' }
  expect(await browser.call('proveRecoveryWithApp', invalid)).toMatchObject({ code: 'invalid' })
  expect(await browser.page(`/recover/factor?token=${'a'.repeat(43)}`)).toContain(
    'This link no longer works',
  )
})
