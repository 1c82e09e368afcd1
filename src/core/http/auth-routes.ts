import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { z } from 'zod'
import { safeCallback } from '@/core/auth/callback-url'
import { normaliseEmail } from '@/core/auth/email'
import { TooManyHashes } from '@/core/auth/hashing-queue'
import type { LiveSession } from '@/core/auth/scope'
import { extendSession, type NewSession } from '@/core/auth/sessions'
import { signInWithPassword, signOut } from '@/core/auth/sign-in'
import { env } from '@/core/env'
import { formFields, readBody } from '@/core/http/body'
import type { ApiContext, ApiEnvironment } from '@/core/http/context'
import { isHealthy } from '@/core/http/health'
import { scopeOf } from '@/core/http/identify'
import { Problem } from '@/core/http/problem'
import {
  clearSessionCookie,
  rememberTypedEmail,
  sessionCookie,
  setSessionCookie,
} from '@/core/http/session-cookie'
import { type Allowance, countTry, forgetFailures, giveBackTry } from '@/core/limits/failures'

/** A form has words for what JSON has values for. */
const flag = z.boolean().or(z.enum(['true', 'false']).transform((value) => value === 'true'))

const signInRequest = z.object({
  email: z.string().min(1, 'Enter your e-mail address.').max(1000),
  password: z.string().min(1, 'Enter your password.').max(1000),
  redirect: flag.default(true),
  callbackUrl: z.string().max(2000).optional(),
  transport: z.enum(['cookie', 'bearer']).default('cookie'),
})

/** What can be shown again, however wrong the rest was. */
const signInForm = z.object({
  email: z.string().optional(),
  callbackUrl: z.string().optional(),
})

const signOutRequest = z.object({
  redirect: flag.default(true),
  callbackUrl: z.string().max(2000).optional(),
})

export const authRoutes = new Hono<ApiEnvironment>()
  .get('/auth/session', async (c) => {
    const { session } = await scopeOf(c)
    if (!session) {
      // Whoever brings no token is asked for none, but "signed out" is not said without a database.
      if (!(await isHealthy())) throw new Problem('database_unreachable')
      if (sessionCookie(c) !== undefined) clearSessionCookie(c)
      return c.json(null)
    }
    return c.json(publicSession(await kept(c, session)))
  })
  .post('/auth/signin', async (c) => {
    try {
      const request = await readBody(c, signInRequest, { forms: true })
      return welcome(c, await attempt(c, request), request)
    } catch (error) {
      if (error instanceof Problem && prefersPage(c)) return backToForm(c, error)
      throw error
    }
  })
  .post('/auth/signout', async (c) => {
    const hasBody = c.req.header('content-type') !== undefined
    const request = signOutRequest.parse(
      hasBody ? await readBody(c, signOutRequest, { forms: true }) : {},
    )
    await signOut(await scopeOf(c))
    clearSessionCookie(c)
    const url = safeCallback(request.callbackUrl, env().AUTH_URL)
    return wantsJson(c, request.redirect) ? c.json({ url }) : c.redirect(url, 303)
  })

async function attempt(
  c: ApiContext,
  { email, password }: z.output<typeof signInRequest>,
): Promise<NewSession> {
  const scope = await scopeOf(c)
  const account = normaliseEmail(email)
  const allowance = await countTry(scope.address, account)
  if (!allowance.allowed) throw tooMany(allowance)
  try {
    const credentials = { email: account, password }
    const created = await signInWithPassword(scope, credentials, c.req.header('user-agent'))
    if (!created) throw new Problem('invalid_credentials')
    await forgetFailures(scope.address, account)
    return created
  } catch (error) {
    if (error instanceof Problem) throw error
    await giveBackTry(scope.address, account)
    if (error instanceof TooManyHashes) {
      throw new Problem('rate_limited', { headers: { 'retry-after': '1' } })
    }
    throw error
  }
}

function welcome(
  c: ApiContext,
  { token, session }: NewSession,
  { redirect, callbackUrl, transport }: z.output<typeof signInRequest>,
): Response {
  const url = safeCallback(callbackUrl, env().AUTH_URL)
  const body = { url, session: publicSession(session) }
  c.set('userId', session.user.id)
  if (transport === 'bearer') return c.json({ ...body, token })
  setSessionCookie(c, token, session.expiresAt)
  return redirect ? c.redirect(url, 303) : c.json(body)
}

function prefersPage(c: ApiContext): boolean {
  const supports = ['application/json', 'text/html']
  const wanted = accepts(c, { header: 'Accept', supports, default: 'application/json' })
  return wanted === 'text/html'
}

/** A person at a form is sent back to it, with where they were going and what they typed. */
async function backToForm(c: ApiContext, { code }: Problem): Promise<Response> {
  const typed = signInForm.safeParse(await formFields(c)).data
  if (typed?.email) rememberTypedEmail(c, typed.email)
  const query = new URLSearchParams({ error: code })
  const url = safeCallback(typed?.callbackUrl, env().AUTH_URL)
  if (url !== '/') query.set('callbackUrl', url)
  return c.redirect(`/sign-in?${query}`, 303)
}

/** Extended where that is due, and the cookie with it: only here can it be set again. */
async function kept(c: ApiContext, session: LiveSession): Promise<LiveSession> {
  const extended = await extendSession(session)
  if (!extended) return session
  const token = sessionCookie(c)
  if (token !== undefined && !c.get('bearer')) setSessionCookie(c, token, extended.expiresAt)
  return extended
}

function publicSession({ user: { id, email, name, role }, expiresAt }: LiveSession) {
  return { user: { id, email, name, role }, expires: expiresAt.toISOString() }
}

function wantsJson(c: ApiContext, redirect: boolean): boolean {
  return !redirect || c.req.header('x-auth-return-redirect') === '1'
}

function tooMany({ limit, remaining, seconds }: Allowance): Problem {
  return new Problem('rate_limited', {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(seconds),
    },
  })
}
