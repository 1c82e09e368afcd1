import { z } from 'zod'
import { clearSessionCookie, setSessionCookie } from '#api/cookies'
import {
  callbackUrl,
  credentials,
  flag,
  redirectToForm,
  sessionSchema,
  signInOptions,
  signInOrThrow,
  signInResponse,
  signInResponses,
  urlResponse,
  wantsJson,
} from '#api/sign-in'
import { cookieNames, cookieToken } from '#auth/sessions/cookie'
import { publicSession } from '#auth/sessions/read'
import { extendSession, signOut } from '#auth/sessions/session'
import { env } from '#config/env'
import { isReachable } from '#db/health'
import { anyone } from '#guard/policy'
import { route } from '#guard/route'
import type { ApiContext } from '#http/api-context'
import { ownOrigin, prefersHtml, safeCallbackUrl } from '#http/headers'
import { Problem } from '#http/problems'
import type { Session } from '#http/scope'

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

export const signInRoutes = [
  route(
    {
      method: 'post',
      path: '/auth/signin',
      name: 'sign_in',
      summary: 'Sign in with a password',
      description:
        'Always creates a new session and ends the previous one. A failed browser form is redirected to `/sign-in`.',
      authorize: anyone,
      input: {
        body: credentials.extend(signInOptions),
        forms: true,
        example: {
          email: 'viewer@example.com',
          password: 'plinth-demo-1',
          redirect: false,
          transport: 'bearer',
        },
      },
      responses: signInResponses,
      problems: ['invalid_credentials', 'rate_limited', 'second_factor_required', 'account_frozen'],
      onProblem: async (c, problem) => (prefersHtml(c) ? redirectToForm(c, problem) : undefined),
    },
    async ({ input: { body }, c }) => signInResponse(c, await signInOrThrow(c, body), body),
  ),
]
