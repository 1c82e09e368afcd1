import { z } from 'zod'
import { callbackUrl, flag, sessionSchema, urlResponse } from '@/core/api/auth-schemas'
import { clearSessionCookie, setSessionCookie } from '@/core/api/session-cookie'
import { wantsJson } from '@/core/api/wants-json'
import { cookieNames, cookieToken } from '@/core/auth/sessions/cookie'
import { publicSession } from '@/core/auth/sessions/public-session'
import { extendSession } from '@/core/auth/sessions/session'
import { signOut } from '@/core/auth/sessions/sign-out'
import { env } from '@/core/config/env'
import { isReachable } from '@/core/db/health'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { ownOrigin, safeCallbackUrl } from '@/core/http/origin'
import { Problem } from '@/core/http/problems'
import type { ApiContext, Session } from '@/core/http/scope'

const signOutRequest = z.object({ redirect: flag.default(true), callbackUrl }).prefault({})

export const sessionRoutes = [
  route(
    {
      method: 'get',
      path: '/auth/session',
      name: 'session',
      summary: 'Get the current session',
      description:
        'The session of a live bearer token, else of the cookie, else `null`. An unavailable database is 503 and never `null`.',
      authorize: anyone,
      readsSession: true,
      responses: { 200: { description: 'The session, or null.', body: sessionSchema.nullable() } },
    },
    async ({ scope: { session, bearer }, c }) => {
      if (!session) {
        // An anonymous request needs no query, but `null` must not hide an unavailable database.
        if (!(await isReachable())) throw new Problem('database_unreachable')
        if (c.req.header('cookie')?.includes(sessionCookieName())) clearSessionCookie(c)
        return null
      }
      return publicSession(await extended(c, session, bearer))
    },
  ),
  route(
    {
      method: 'post',
      path: '/auth/signout',
      name: 'sign_out',
      summary: 'Sign out',
      description: 'Ends the session and clears the cookie. Idempotent. The body is optional.',
      authorize: anyone,
      readsSession: true,
      input: {
        body: signOutRequest,
        forms: true,
        optional: true,
        example: { redirect: false },
      },
      responses: {
        200: {
          description: 'The URL to go to, with `redirect: false` or `X-Auth-Return-Redirect: 1`.',
          body: urlResponse,
        },
        303: { description: 'Redirects to `callbackUrl`.', headers: { Location: 'The URL.' } },
      },
    },
    async ({ scope, input: { body }, c }) => {
      await signOut(scope)
      clearSessionCookie(c)
      const url = safeCallbackUrl(body.callbackUrl, ownOrigin(c))
      return wantsJson(c, body.redirect) ? { url } : c.redirect(url, 303)
    },
  ),
]

/** Extends the session and its cookie if due. Pages cannot set cookies, so it happens here only. */
async function extended(c: ApiContext, session: Session, bearer: boolean): Promise<Session> {
  const extendedSession = await extendSession(session)
  if (!extendedSession) return session
  const token = cookieToken(c.req.header('cookie'), sessionCookieName())
  if (token !== undefined && !bearer) setSessionCookie(c, token, extendedSession.expiresAt)
  return extendedSession
}

function sessionCookieName(): string {
  return cookieNames(env().AUTH_URL).session
}
