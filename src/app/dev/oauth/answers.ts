import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Provider } from '@/core/auth/providers/provider'
import { env } from '@/core/env'
import { newCode, personWith, redeem } from './grants'
import { idToken, publicKeys } from './id-token'

/** The provider of that name, if it is the one that lives here. */
export function localProvider(id: string): (Provider & { url: string }) | undefined {
  const found = env().providers.find((provider) => provider.id === id)
  const url = found?.url
  return found && url?.endsWith(`/dev/oauth/${id}`) ? { ...found, url } : undefined
}

export function discovery({ url }: { url: string }) {
  return Response.json({
    issuer: url,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
    userinfo_endpoint: `${url}/api/v3/user`,
    jwks_uri: `${url}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  })
}

export function keys() {
  return Response.json(publicKeys())
}

export const question = z.object({
  client_id: z.string(),
  redirect_uri: z.url(),
  state: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.literal('S256'),
})

const decision = question.extend({
  decision: z.enum(['allow', 'deny']),
  name: z.string(),
  email: z.string(),
  verified: z.string().optional(),
})

/** Back to the product, with a code or with a refusal. */
export async function decide(provider: Provider, request: Request): Promise<Response> {
  const given = decision.safeParse(Object.fromEntries(await request.formData()))
  if (!given.success || !isOurs(provider, given.data)) return new Response(null, { status: 400 })
  const { redirect_uri, state, code_challenge, name, email, verified } = given.data
  const back = new URL(redirect_uri)
  back.searchParams.set('state', state)
  if (given.data.decision === 'deny') back.searchParams.set('error', 'access_denied')
  else {
    const id = createHash('sha256').update(email.toLowerCase()).digest().readUIntBE(0, 6)
    const person = { id, name, email, verified: verified !== undefined }
    const asked = { redirectUri: redirect_uri, challenge: code_challenge }
    back.searchParams.set('code', newCode({ ...asked, provider: provider.id, person }))
  }
  return Response.redirect(back, 303)
}

export function isOurs(
  { id, clientId }: Provider,
  { client_id, redirect_uri }: z.output<typeof question>,
): boolean {
  const known = env().ownOrigins.map((origin) => `${origin}/api/auth/callback/${id}`)
  return client_id === clientId && known.includes(redirect_uri)
}

const exchange = z.object({ code: z.string(), redirect_uri: z.string(), code_verifier: z.string() })

export async function token(
  provider: Provider & { url: string },
  request: Request,
): Promise<Response> {
  const { id, clientId, clientSecret, url } = provider
  const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  if (request.headers.get('authorization') !== basic) return refuse('invalid_client', 401)
  const given = exchange.safeParse(Object.fromEntries(await request.formData()))
  if (!given.success) return refuse('invalid_request', 400)
  const { code, redirect_uri, code_verifier } = given.data
  const asked = { provider: id, redirectUri: redirect_uri, verifier: code_verifier }
  const redeemed = redeem(code, asked)
  if (!redeemed) return refuse('invalid_grant', 400)
  const { accessToken, person } = redeemed
  const parties = { issuer: url, audience: clientId }
  return Response.json({
    access_token: accessToken,
    token_type: 'bearer',
    ...(provider.type === 'oidc' ? { id_token: idToken(person, parties) } : {}),
  })
}

export function user(request: Request, part: 'profile' | 'emails'): Response {
  const given = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  const person = personWith(given)
  if (!person) return new Response(null, { status: 401 })
  const { id, name, email, verified } = person
  return Response.json(
    part === 'emails'
      ? [{ email, verified, primary: true }]
      : { id, login: email.replace(/@.*/, ''), name },
  )
}

function refuse(error: string, status: number): Response {
  return Response.json({ error }, { status })
}
