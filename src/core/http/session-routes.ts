import { z } from 'zod'
import { safeCallback } from '@/core/auth/callback-url'
import { publicSession } from '@/core/auth/public-session'
import type { LiveSession } from '@/core/auth/scope'
import { extendSession } from '@/core/auth/sessions'
import { signOut } from '@/core/auth/sign-in'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { callbackUrl, flag, sessionSchema, urlAnswer } from '@/core/http/auth-schemas'
import type { ApiContext } from '@/core/http/context'
import { isHealthy } from '@/core/http/health'
import { scopeOf } from '@/core/http/identify'
import { ownOrigin } from '@/core/http/own-origin'
import { Problem } from '@/core/http/problem'
import { clearSessionCookie, sessionCookie, setSessionCookie } from '@/core/http/session-cookie'

const signOutRequest = z.object({ redirect: flag.default(true), callbackUrl }).prefault({})

export const sessionRoutes = [
  route(
    {
      method: 'get',
      path: '/auth/session',
      name: 'session',
      summary: 'Who is signed in',
      description:
        'The session of the bearer token if it is alive, else of the cookie, else `null`. Never `null` because the database is away.',
      who: anyone,
      asksWho: true,
      answers: { 200: { description: 'The session, or null.', body: sessionSchema.nullable() } },
    },
    async (c) => {
      const { session, bearer } = await scopeOf(c)
      if (!session) {
        // Whoever brings no token is asked for none, but "signed out" is not said without a database.
        if (!(await isHealthy())) throw new Problem('database_unreachable')
        if (sessionCookie(c) !== undefined) clearSessionCookie(c)
        return c.json(null)
      }
      return c.json(publicSession(await kept(c, session, bearer)))
    },
  ),
  route(
    {
      method: 'post',
      path: '/auth/signout',
      name: 'sign_out',
      summary: 'Sign out',
      description:
        'Ends the session and clears the cookie. Can be said again. The body may be left out.',
      who: anyone,
      asksWho: true,
      takes: {
        body: signOutRequest,
        forms: true,
        optional: true,
        example: { redirect: false },
      },
      answers: {
        200: {
          description: 'Where to go, with `redirect: false` or `X-Auth-Return-Redirect: 1`.',
          body: urlAnswer,
        },
        303: { description: 'To `callbackUrl`.', headers: { Location: 'Where to go.' } },
      },
    },
    async (c, { body }) => {
      await signOut(await scopeOf(c))
      clearSessionCookie(c)
      const url = safeCallback(body.callbackUrl, ownOrigin(c))
      return wantsJson(c, body.redirect) ? c.json({ url }) : c.redirect(url, 303)
    },
  ),
]

export function wantsJson(c: ApiContext, redirect: boolean): boolean {
  return !redirect || c.req.header('x-auth-return-redirect') === '1'
}

/** Extended where that is due, and the cookie with it: only here can it be set again. */
async function kept(c: ApiContext, session: LiveSession, bearer: boolean): Promise<LiveSession> {
  const extended = await extendSession(session)
  if (!extended) return session
  const token = sessionCookie(c)
  if (token !== undefined && !bearer) setSessionCookie(c, token, extended.expiresAt)
  return extended
}
