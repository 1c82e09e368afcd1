import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { z } from 'zod'
import { configuredProviders, type Provider } from '#auth/oauth/configured-providers'
import { userinfoOf } from '#auth/oauth/provider'
import { env } from '#config/env'
import { processState } from '#config/process-state'

/**
 * An OAuth server for development, in the place of each provider that is not configured. The app serves it at
 * `/dev/oauth/<provider>`, in development only, with a page where the developer enters any profile.
 */
export async function handleDevelopmentOAuth(
  request: Request,
  { params }: { params: Promise<{ provider: string; path: string[] }> },
): Promise<Response> {
  const { provider: id, path: parts } = await params
  const provider = localProvider(id)
  const path = parts.map(decodeURIComponent).join('/')
  const response = provider && (await respond(provider, path, request))
  return response ?? new Response(null, { status: 404 })
}

function respond(
  provider: LocalProvider,
  path: string,
  request: Request,
): Response | Promise<Response> | undefined {
  const url = `${provider.url}/${path}`
  const endpoints = endpointsOf(provider)
  if (request.method === 'POST') {
    if (path === 'decide') return decide(provider, request)
    return url === endpoints.token ? token(provider, request) : undefined
  }
  if (path === '.well-known/openid-configuration') return discovery(provider)
  if (path === 'keys') return keys()
  if (url === endpoints.authorization) return redirectToPage(provider.url, request)
  if (!url.startsWith(endpoints.userinfo)) return undefined
  return user(provider, request, url.slice(endpoints.userinfo.length))
}

function redirectToPage(base: string, request: Request): Response {
  return Response.redirect(`${base}/${authorizePage}${new URL(request.url).search}`)
}

type LocalProvider = Provider & { url: string }

/** Undefined if the provider is configured to use another server. */
export function localProvider(id: string): LocalProvider | undefined {
  const found = configuredProviders(env()).find((provider) => provider.id === id)
  const url = found?.url
  return found && url?.endsWith(`/dev/oauth/${id}`) ? { ...found, url } : undefined
}

/** The page where the developer chooses a profile. */
const authorizePage = 'login/oauth/authorize'

/** Plain OAuth providers declare their endpoints; OpenID Connect clients discover them. */
function endpointsOf(provider: LocalProvider) {
  const { url } = provider
  if (provider.type === 'oauth') return provider.endpoints(url)
  return {
    authorization: `${url}/${authorizePage}`,
    token: `${url}/token`,
    userinfo: `${url}/userinfo`,
  }
}

function discovery(provider: LocalProvider) {
  const { authorization, token, userinfo } = endpointsOf(provider)
  return Response.json({
    issuer: provider.url,
    authorization_endpoint: authorization,
    token_endpoint: token,
    userinfo_endpoint: userinfo,
    jwks_uri: `${provider.url}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  })
}

function keys() {
  return Response.json(publicKeys())
}

export const authorizationRequest = z.object({
  client_id: z.string(),
  redirect_uri: z.url(),
  state: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.literal('S256'),
  nonce: z.string().optional(),
})

const decision = authorizationRequest.extend({
  decision: z.enum(['allow', 'deny']),
  name: z.string(),
  email: z.string(),
  verified: z.string().optional(),
})

/** Redirects back with a code, or with an error if the developer canceled. */
async function decide(provider: Provider, request: Request): Promise<Response> {
  const form = decision.safeParse(Object.fromEntries(await request.formData()))
  if (!form.success || !isRegisteredClient(provider, form.data))
    return new Response(null, { status: 400 })
  const { redirect_uri, state, code_challenge, nonce, name, email, verified } = form.data
  const callback = new URL(redirect_uri)
  callback.searchParams.set('state', state)
  if (form.data.decision === 'deny') callback.searchParams.set('error', 'access_denied')
  else {
    const id = createHash('sha256').update(email.toLowerCase()).digest().readUIntBE(0, 6)
    const profile = { id, name, email, verified: verified !== undefined }
    const granted = { redirectUri: redirect_uri, challenge: code_challenge, nonce }
    callback.searchParams.set('code', newCode({ ...granted, provider: provider.id, profile }))
  }
  return Response.redirect(callback, 303)
}

export function isRegisteredClient(
  { id, clientId }: Provider,
  { client_id, redirect_uri }: z.output<typeof authorizationRequest>,
): boolean {
  const callbackUrls = env().ownOrigins.map((origin) => `${origin}/api/auth/callback/${id}`)
  return client_id === clientId && callbackUrls.includes(redirect_uri)
}

const exchange = z.object({ code: z.string(), redirect_uri: z.string(), code_verifier: z.string() })

async function token(provider: LocalProvider, request: Request): Promise<Response> {
  const { id, clientId, clientSecret, url } = provider
  const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  if (request.headers.get('authorization') !== basic) return oauthError('invalid_client', 401)
  const form = exchange.safeParse(Object.fromEntries(await request.formData()))
  if (!form.success) return oauthError('invalid_request', 400)
  const { code, redirect_uri, code_verifier } = form.data
  const proof = { provider: id, redirectUri: redirect_uri, verifier: code_verifier }
  const redeemed = redeem(code, proof)
  if (!redeemed) return oauthError('invalid_grant', 400)
  const { accessToken, profile, nonce } = redeemed
  const claims = { issuer: url, audience: clientId, nonce }
  return Response.json({
    access_token: accessToken,
    token_type: 'bearer',
    ...(provider.type === 'oidc' ? { id_token: idToken(profile, claims) } : {}),
  })
}

/** `end` is what follows the URL of the endpoint. */
function user(provider: LocalProvider, request: Request, end: string): Response {
  const accessToken = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  const profile = findProfile(accessToken)
  if (!profile) return new Response(null, { status: 401 })
  const { id, email } = profile
  const described = { ...profile, id: String(id), login: email.replace(/@.*/, '') }
  const body = userinfoOf(provider, described, end)
  return body === undefined ? new Response(null, { status: 404 }) : Response.json(body)
}

function oauthError(error: string, status: number): Response {
  return Response.json({ error }, { status })
}

/** The provider profile that the developer chose. */
type Profile = { id: number; name: string; email: string; verified: boolean }

type AuthorizationRequest = {
  redirectUri: string
  challenge: string
  /** Only OpenID Connect has one. */
  nonce: string | undefined
}

type Grant = AuthorizationRequest & { profile: Profile; provider: string }

const grants = processState('dev.oauth', () => ({
  codes: new Map<string, Grant>(),
  tokens: new Map<string, Profile>(),
}))

function newCode(grant: Grant): string {
  const code = randomBytes(32).toString('base64url')
  grants.codes.set(code, grant)
  return code
}

/** Single use, and only with the PKCE verifier of the challenge. */
function redeem(
  code: string,
  { provider, redirectUri, verifier }: { provider: string; redirectUri: string; verifier: string },
): { accessToken: string; profile: Profile; nonce: string | undefined } | undefined {
  const grant = grants.codes.get(code)
  grants.codes.delete(code)
  if (grant?.provider !== provider || grant.redirectUri !== redirectUri) return undefined
  const computed = createHash('sha256').update(verifier).digest()
  const expected = Buffer.from(grant.challenge, 'base64url')
  if (computed.length !== expected.length || !timingSafeEqual(computed, expected)) return undefined
  const accessToken = randomBytes(32).toString('base64url')
  grants.tokens.set(accessToken, grant.profile)
  return { accessToken, profile: grant.profile, nonce: grant.nonce }
}

function findProfile(accessToken: string): Profile | undefined {
  return grants.tokens.get(accessToken)
}

const signingKeys = processState('dev.oauth.keys', () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }),
)

/** The JSON Web Key Set. */
function publicKeys() {
  return {
    keys: [{ ...signingKeys.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }],
  }
}

type IdTokenRequest = { issuer: string; audience: string; nonce: string | undefined }

function idToken({ id, name, email, verified }: Profile, request: IdTokenRequest) {
  const { issuer, audience, nonce } = request
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: audience,
    nonce,
    iat: now,
    exp: now + 300,
    sub: String(id),
    name,
    email,
    email_verified: verified,
  }
  const unsigned = `${encodePart({ alg: 'RS256', typ: 'JWT' })}.${encodePart(claims)}`
  return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(signingKeys.privateKey, 'base64url')}`
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
