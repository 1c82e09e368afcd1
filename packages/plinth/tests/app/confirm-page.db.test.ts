import { eq } from 'drizzle-orm'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { giveAllProofs } from '#testing/change-proof'
import { testDatabase } from '#testing/database/database'
import { newScope, signedInScope } from '#testing/scope'
import '@/app/(auth)/confirm/page'
import { giveProof, installFactors, type ProofKind } from '#auth/accounts/change-proofs'
import { createDemoAccounts } from '#auth/accounts/users'
import { createSession } from '#auth/sessions/session'
import { users } from '#db/schema'
import type { SignedInScope } from '#guard/policy'
import { findPage } from '#http/page-registry'
import { ProveChange } from '@/app/(auth)/confirm/prove-change'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

afterEach(() => installFactors([]))

const change = 'add_factor'
const asked = { change, callbackUrl: '/account/security/app' }

const load = (scope: SignedInScope, query: Record<string, string> = asked) =>
  findPage('/confirm')?.preload(scope, { params: {}, query })

const leadingTo = (url: string) => ({ digest: expect.stringContaining(`;${url};`) })

const factorPage = '/sign-in/factor?change=add_factor&callbackUrl=%2Faccount%2Fsecurity%2Fapp'

let scope: SignedInScope
beforeEach(async () => {
  scope = await signedInScope(db.database, 'viewer@example.com')
})

async function give(kind: ProofKind) {
  const { session } = await db.database.transaction((tx) => giveProof(tx, scope, change, { kind }))
  scope = { ...scope, session }
}

function addFactor() {
  const find = async () => [{ kind: 'app' as const, methodId: 'phone' }]
  installFactors([{ factors: { find, page: '/sign-in/factor' } }])
}

describe('/confirm for a change', () => {
  test('asks for the password of an account that has one', async () => {
    await expect(load(scope)).resolves.toMatchObject({
      data: { missing: { kind: 'password', factorUrl: undefined } },
    })
  })

  test('asks a user of sign-in links for a code by mail', async () => {
    const [user] = await db.database
      .insert(users)
      .values({ email: 'links@example.com', name: 'User' })
      .returning()
    if (!user) throw new Error('The user was not stored.')
    const { session } = await createSession(db.database, user, { ip: '::1' }, { by: 'link' })
    const asking = load({ ...newScope(), session })
    await expect(asking).resolves.toMatchObject({ data: { missing: { kind: 'mail_code' } } })
    await db.database.delete(users).where(eq(users.id, user.id))
  })

  test('leads back once it is proven, and only to a page of this site', async () => {
    await giveAllProofs(db.database, scope, change)
    await expect(load(scope)).rejects.toMatchObject(leadingTo('/account/security/app'))
    const elsewhere = { change, callbackUrl: 'https://evil.example/' }
    await expect(load(scope, elsewhere)).rejects.toMatchObject(leadingTo('/home'))
  })

  test('leads a user with a factor to its page', async () => {
    addFactor()
    await expect(load(scope)).rejects.toMatchObject(leadingTo(factorPage))
  })

  test('takes the first proof of a user who has lost the factor, then a recovery code', async () => {
    addFactor()
    const lost = { ...asked, with: 'recovery_code' }
    await expect(load(scope, lost)).resolves.toMatchObject({
      data: { missing: { kind: 'password', factorUrl: factorPage } },
    })
    await give('password')
    const next = factorPage.replace('&callbackUrl', '&method=recovery_code&callbackUrl')
    await expect(load(scope)).rejects.toMatchObject(leadingTo(next))
  })

  test('without a known change it renews the sign-in', async () => {
    const renewing = load(scope, { change: 'unknown', callbackUrl: '/account' })
    await expect(renewing).resolves.toMatchObject({ data: { missing: undefined } })
  })
})

describe('each proof has a plain form', () => {
  const render = (kind: ProofKind, isSent = false) =>
    renderToStaticMarkup(
      ProveChange({
        change,
        missing: { kind, factorUrl: undefined },
        email: 'viewer@example.com',
        callbackUrl: '/account',
        providers: [{ id: 'github', name: 'GitHub' }],
        isSent,
      }),
    )

  test.each([
    ['password' as const, ['name="currentPassword"', 'autoComplete="current-password"']],
    [
      'provider' as const,
      ['action="/api/auth/signin/github"', 'name="change" value="add_factor"', 'method="post"'],
    ],
    ['mail_code' as const, ['Send code', 'viewer@example.com']],
  ])('%s', (missing, parts) => {
    const html = render(missing)
    for (const part of parts) expect(html.toLowerCase()).toContain(part.toLowerCase())
  })

  test('a code can be typed once it was sent, and be sent again', () => {
    expect(render('mail_code')).not.toContain('name="code"')
    const html = render('mail_code', true)
    expect(html).toContain('name="code"')
    expect(html).toContain('Send again')
  })
})
