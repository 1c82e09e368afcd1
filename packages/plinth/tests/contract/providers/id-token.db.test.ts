import { createHmac, generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readDatabaseTime } from '#db/clock'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import {
  authorizeAtProvider,
  followCallback,
  oauthServers,
  signInWith,
  startOAuth,
} from '#testing/oauth/oauth'
import {
  encodePart,
  type IdTokenSigner,
  privateKey,
  publicKey,
  signWith,
} from '#testing/oauth/oauth-server'
import { installed } from '../../support/installed-providers'
import { expectRejectedSignIn } from '../../support/providers/rejected-sign-in'

const db = testDatabase()
const { providerOf, newProviderUser } = oauthServers(installed)
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

const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const withSecret =
  (secret: string): IdTokenSigner =>
  ({ claims }) => {
    const unsigned = `${encodePart({ alg: 'HS256' })}.${encodePart(claims)}`
    return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
  }

const forgedSignatures: [string, IdTokenSigner][] = [
  ['signed with another key', signWith(otherKey)],
  ['without a signature', ({ claims }) => `${encodePart({ alg: 'none' })}.${encodePart(claims)}.`],
  ['with an empty signature', (token) => signWith(privateKey)(token).replace(/[^.]*$/, '')],
  ['signed with the client secret', withSecret('only-for-tests')],
  [
    'signed with the public key as a secret',
    withSecret(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  ],
  [
    'with a changed algorithm',
    ({ header, claims }) => signWith(privateKey)({ header: { ...header, alg: 'RS512' }, claims }),
  ],
]

const openIdProviders = installed.filter(({ type }) => type === 'oidc')

describe.each(openIdProviders)('an ID token of $id', ({ id: provider }) => {
  test.each([
    ['from another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another' }],
    ['that has expired', { exp: 1_000_000_000 }],
    ['with the nonce of another flow', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['without a subject', { sub: undefined }],
    ['with an email that is not text', { email: 7 }],
  ])('%s is rejected', async (_, forgedClaims) => {
    newProviderUser(provider)
    providerOf(provider).forgedClaims = forgedClaims
    await expectRejected(await signInWith(client, provider), 'oauth_failed')
  })

  test('that has expired by the clock of the database is rejected', async () => {
    onTestFinished(() => {
      vi.useRealTimers()
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 60 * 60 * 1000 })
    newProviderUser(provider)
    const hourAgo = (await readDatabaseTime(db.connection)) / 1000 - 60 * 60
    providerOf(provider).forgedClaims = { exp: Math.floor(hourAgo) }
    await expectRejected(await signInWith(client, provider), 'oauth_failed')
  })

  test.each(forgedSignatures)('%s is rejected', async (_, forgedSignature) => {
    newProviderUser(provider)
    // An authorization server may well support these algorithms for other clients.
    const forgedDiscovery = {
      id_token_signing_alg_values_supported: ['RS256', 'RS512', 'HS256', 'none'],
    }
    Object.assign(providerOf(provider), { forgedSignature, forgedDiscovery })
    await expectRejected(await signInWith(client, provider), 'oauth_failed')
  })

  test('is rejected if the keys are not found', async () => {
    newProviderUser(provider)
    const { url } = providerOf(provider)
    providerOf(provider).forgedDiscovery = { jwks_uri: `${url}/unknown` }
    await expectRejected(await signInWith(client, provider), 'oauth_failed')
  })

  test('is rejected without the cookie of the nonce', async () => {
    newProviderUser(provider)
    const callback = await authorizeAtProvider(await startOAuth(client, provider))
    expect(client.cookies.delete(`authjs.nonce.${provider}`)).toBe(true)
    await expectRejected(await followCallback(client, callback), 'oauth_failed')
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
