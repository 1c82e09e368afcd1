import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'
import type { InstalledProvider } from '@/core/auth/providers/provider'

/** Somebody with an account at the provider. */
export type Person = {
  id: string
  name?: string | null
  email: string
  verified: boolean
  /** What a profile shows, which says nothing. */
  publicEmail?: string
}

export type OAuthServer = {
  url: string
  /** The settings of a product that uses it. */
  settings: Record<string, string>
  /** Who is at the browser from now on, or that they refuse. */
  person: Person | 'refuses'
  /** Claims that its next ID tokens have instead of the right ones. */
  forged: Record<string, unknown>
  stop(): Promise<void>
}

/**
 * A real authorization server on this machine: an issuer of OpenID Connect, or one that speaks
 * plain OAuth with the addresses and answers of GitHub Enterprise.
 */
export async function startOAuthServer(service: InstalledProvider): Promise<OAuthServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Person>()
  const running: OAuthServer = {
    url,
    settings: settingsOf(service, url),
    person: 'refuses',
    forged: {},
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const mount = service.type === 'oauth' ? '/login/oauth' : ''
  const provider = new Provider(url + mount, configuration(service, mount, people))
  provider.on('server_error', (_, error) => process.stderr.write(`${error.stack}\n`))
  const answer = provider.callback()

  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0] ?? '/'
    if (path.startsWith(`${mount}/interaction/`)) return interact(request, response)
    if (path.startsWith('/api/v3/user')) return tellUser(request, response)
    if (path === '/token') forgeIdToken(response, running)
    request.url = request.url?.slice(mount.length) || '/'
    Object.assign(request, { originalUrl: `${mount}${request.url}` })
    answer(request, response)
  })
  return running

  /** What a person would do on the pages of the provider. */
  async function interact(request: IncomingMessage, response: ServerResponse) {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    const { person } = running
    if (person === 'refuses') {
      const refusal = { error: 'access_denied', error_description: 'They would rather not.' }
      return provider.interactionFinished(request, response, refusal)
    }
    people.set(person.id, person)
    if (prompt.name === 'login') {
      const login = { accountId: person.id, remember: false }
      return provider.interactionFinished(request, response, { login })
    }
    const clientId = String(params.client_id)
    const grant = new provider.Grant({ accountId: session?.accountId ?? person.id, clientId })
    grant.addOIDCScope(String(params.scope ?? ''))
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { consent })
  }

  async function tellUser(request: IncomingMessage, response: ServerResponse) {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const found = await provider.AccessToken.find(token)
    const person = found?.accountId ? people.get(found.accountId) : undefined
    if (!person) return response.writeHead(401).end('{}')
    const user = { id: Number(person.id), login: `login-${person.id}`, name: person.name ?? null }
    const emails = [
      { email: 'second@example.com', primary: false, verified: true },
      { email: person.email, primary: true, verified: person.verified },
    ]
    const body = request.url?.endsWith('/emails')
      ? emails
      : { ...user, email: person.publicEmail ?? null }
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(body))
  }
}

function settingsOf({ settings }: InstalledProvider, url: string): Record<string, string> {
  return {
    [settings.clientId]: 'plinth',
    [settings.clientSecret]: 'only-for-tests',
    [settings.url]: url,
  }
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

function configuration(
  { id, type }: InstalledProvider,
  mount: string,
  people: Map<string, Person>,
): Configuration {
  return {
    clients: [
      {
        client_id: 'plinth',
        client_secret: 'only-for-tests',
        redirect_uris: redirectUris(id),
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['only-for-tests'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    scopes: ['openid', 'profile', 'email', 'read:user', 'user:email'],
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ...(type === 'oauth'
      ? { routes: { authorization: '/authorize', token: '/access_token' } }
      : {}),
    interactions: { url: (_, { uid }) => `${mount}/interaction/${uid}` },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 60,
      Grant: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_, sub) => {
      const person = people.get(sub)
      return {
        accountId: sub,
        claims: () => ({
          sub,
          name: person?.name ?? undefined,
          email: person?.email,
          email_verified: person?.verified,
        }),
      }
    },
  }
}

/** Where the products of the tests are: in process at the default address, and on any port. */
let allowed: string[] = ['http://localhost:3000']

/** To be called before the server is started, for a product that has an address of its own. */
export function allowProduct(origin: string): void {
  allowed = [...allowed, origin]
}

function redirectUris(provider: string): string[] {
  return allowed.map((origin) => `${origin}/api/auth/callback/${provider}`)
}

/** Signed with the right key, so that only what it claims is wrong. */
function forgeIdToken(response: ServerResponse, running: OAuthServer): void {
  if (Object.keys(running.forged).length === 0) return
  const end = response.end.bind(response)
  response.end = ((chunk: string | Buffer) => {
    const body = JSON.parse(String(chunk))
    const [header = '', payload = ''] = body.id_token.split('.')
    const claims = {
      ...JSON.parse(Buffer.from(payload, 'base64url').toString()),
      ...running.forged,
    }
    const forged = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    const signature = createSign('RSA-SHA256').update(forged).sign(privateKey, 'base64url')
    const text = JSON.stringify({ ...body, id_token: `${forged}.${signature}` })
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as typeof response.end
}
