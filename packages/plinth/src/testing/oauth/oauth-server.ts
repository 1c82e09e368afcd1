import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration } from 'oidc-provider'
import { type InstalledProvider, userinfoOf } from '#auth/oauth/provider'

/** A user of the provider. */
export type ProviderUser = {
  id: string
  name?: string | null
  email: string
  verified: boolean
  /** Shown in the profile and never verified. */
  publicEmail?: string
}

export type OAuthServer = {
  url: string
  /** The settings that configure it. */
  settings: Record<string, string>
  /** The user who signs in from now on. `denies` cancels instead. */
  user: ProviderUser | 'denies'
  /** Override the claims of the next ID tokens. */
  forgedClaims: Record<string, unknown>
  /** Signs them. The default is the right key and algorithm. */
  forgedSignature: IdTokenSigner
  /** Override the discovery document. */
  forgedDiscovery: Record<string, unknown>
  stop(): Promise<void>
}

export type IdTokenSigner = (unsigned: { header: object; claims: object }) => string

/** A local authorization server: an OpenID Connect issuer, or plain OAuth with its own endpoints. */
export async function startOAuthServer(installed: InstalledProvider): Promise<OAuthServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const users = new Map<string, ProviderUser>()
  const running: OAuthServer = {
    url,
    settings: settingsOf(installed, url),
    user: 'denies',
    forgedClaims: {},
    forgedSignature: signWith(privateKey),
    forgedDiscovery: {},
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const endpoints = installed.type === 'oauth' ? installed.endpoints(url) : undefined
  const userinfoPath = endpoints && pathOf(endpoints.userinfo)
  // It warns of Node 20 when it is loaded, which Playwright would print when it lists the tests.
  const { Provider } = await import('oidc-provider')
  const provider = new Provider(endpoints?.issuer ?? url, configuration(installed, url, users))
  provider.on('server_error', (_, error) => process.stderr.write(`${error.stack}\n`))
  const handle = provider.callback()

  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0] ?? '/'
    if (path.startsWith('/interaction/')) return interact(request, response)
    if (userinfoPath && path.startsWith(userinfoPath)) {
      return sendUser(request, response, path.slice(userinfoPath.length))
    }
    if (path === '/token') rewriteJson(response, (body) => forgeIdToken(body, running))
    if (path === '/.well-known/openid-configuration') {
      rewriteJson(response, (body) => ({ ...body, ...running.forgedDiscovery }))
    }
    handle(request, response)
  })
  return running

  /** Signs in and consents on the pages of the provider. */
  async function interact(request: IncomingMessage, response: ServerResponse) {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    const { user } = running
    if (user === 'denies') {
      const denial = { error: 'access_denied', error_description: 'Denied by the user.' }
      return provider.interactionFinished(request, response, denial)
    }
    users.set(user.id, user)
    if (prompt.name === 'login') {
      const login = { accountId: user.id, remember: false }
      return provider.interactionFinished(request, response, { login })
    }
    const clientId = String(params.client_id)
    const grant = new provider.Grant({ accountId: session?.accountId ?? user.id, clientId })
    grant.addOIDCScope(String(params.scope ?? ''))
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { consent })
  }

  async function sendUser(request: IncomingMessage, response: ServerResponse, end: string) {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const found = await provider.AccessToken.find(token)
    const user = found?.accountId ? users.get(found.accountId) : undefined
    if (!user) return response.writeHead(401).end('{}')
    const described = { ...user, login: `login-${user.id}`, name: user.name ?? null }
    const body = userinfoOf(installed, described, end)
    if (body === undefined) return response.writeHead(404).end('{}')
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(body))
  }
}

function pathOf(url: string): string {
  return new URL(url).pathname
}

function settingsOf({ settings }: InstalledProvider, url: string): Record<string, string> {
  return {
    [settings.clientId]: 'plinth',
    [settings.clientSecret]: 'only-for-tests',
    [settings.url]: url,
  }
}

export const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

function configuration(
  installed: InstalledProvider,
  url: string,
  users: Map<string, ProviderUser>,
): Configuration {
  const endpoints = installed.type === 'oauth' ? installed.endpoints(url) : undefined
  return {
    clients: [
      {
        client_id: 'plinth',
        client_secret: 'only-for-tests',
        redirect_uris: redirectUris(installed.id),
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['only-for-tests'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    scopes: ['openid', 'profile', 'email', ...(endpoints?.scope.split(' ') ?? [])],
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    routes: endpoints && {
      authorization: pathOf(endpoints.authorization),
      token: pathOf(endpoints.token),
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 60,
      Grant: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_, sub) => {
      const user = users.get(sub)
      return {
        accountId: sub,
        claims: () => ({
          sub,
          name: user?.name ?? undefined,
          email: user?.email,
          email_verified: user?.verified,
        }),
      }
    },
  }
}

/** The default origin is that of the API in this process. */
let allowedOrigins: string[] = ['http://localhost:3000']

/** Must be called before `startOAuthServer`. */
export function allowOrigin(origin: string): void {
  allowedOrigins = [...allowedOrigins, origin]
}

function redirectUris(provider: string): string[] {
  return allowedOrigins.map((origin) => `${origin}/api/auth/callback/${provider}`)
}

export function signWith(key: KeyObject): IdTokenSigner {
  return ({ header, claims }) => {
    const unsigned = `${encodePart(header)}.${encodePart(claims)}`
    return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(key, 'base64url')}`
  }
}

export function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

type Json = Record<string, unknown>

function forgeIdToken(body: Json, { forgedClaims, forgedSignature }: OAuthServer): Json {
  if (typeof body.id_token !== 'string') return body
  const [header = '', payload = ''] = body.id_token.split('.')
  const claims = { ...decodePart(payload), ...forgedClaims }
  return { ...body, id_token: forgedSignature({ header: decodePart(header), claims }) }
}

function decodePart(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

function rewriteJson(response: ServerResponse, rewrite: (body: Json) => Json): void {
  const end = response.end.bind(response)
  response.end = ((chunk: string | Buffer) => {
    const text = JSON.stringify(rewrite(JSON.parse(String(chunk))))
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as typeof response.end
}
