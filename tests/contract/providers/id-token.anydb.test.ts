import { beforeEach, describe, expect, test } from 'vitest'
import { installed } from '@/core/auth/oauth/providers/installed'
import { newClient } from '../../support/client'
import { testDatabase } from '../../support/database'
import { databaseRows } from '../../support/database-rows'
import { signInWith } from '../../support/providers/browser'
import { oauthServers } from '../../support/providers/oauth'
import { expectRejectedSignIn } from '../../support/providers/rejected-sign-in'

const db = testDatabase()
const { providerOf, newProviderUser } = oauthServers()
const rows = databaseRows(db)

let client: ReturnType<typeof newClient>
let before: Awaited<ReturnType<typeof rows.counts>>

beforeEach(async () => {
  client = newClient()
  before = await rows.counts()
})

function expectRejected(response: Response, code: string, event: object = {}) {
  return expectRejectedSignIn(rows, { client, before }, response, { code, ...event })
}

const openIdProviders = installed.filter(({ type }) => type === 'oidc')

describe.each(openIdProviders)('an ID token of $id', ({ id: provider }) => {
  test.each([
    ['from another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another' }],
    ['that has expired', { exp: 1_000_000_000 }],
    ['without a subject', { sub: undefined }],
    ['with an email that is not text', { email: 7 }],
  ])('%s is rejected', async (_, forgedClaims) => {
    newProviderUser(provider)
    providerOf(provider).forgedClaims = forgedClaims
    await expectRejected(await signInWith(client, provider), 'oauth_failed')
  })

  test('with a name that is not text falls back to the local part of the email', async () => {
    const { email } = newProviderUser(provider)
    providerOf(provider).forgedClaims = { name: { toString: 'x' } }
    expect((await signInWith(client, provider)).headers.get('location')).toBe('/')
    expect((await rows.userOf(email))?.name).toBe(email.split('@')[0])
  })

  test.each(['true', 1, undefined])(
    'with email_verified %s counts as unverified',
    async (value) => {
      newProviderUser(provider)
      providerOf(provider).forgedClaims = { email_verified: value }
      const denied = { action: 'sign_up', outcome: 'denied' }
      await expectRejected(await signInWith(client, provider), 'email_not_verified', denied)
    },
  )
})
