import { z } from 'zod'
import { safeCallback } from '@/core/auth/callback-url'
import { publicSession } from '@/core/auth/public-session'
import type { NewSession } from '@/core/auth/sessions'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { callbackUrl, flag, sessionSchema } from '@/core/http/auth-schemas'
import { backToForm, prefersPage } from '@/core/http/back-to-sign-in'
import type { ApiContext } from '@/core/http/context'
import { ownOrigin } from '@/core/http/own-origin'
import { setSessionCookie } from '@/core/http/session-cookie'
import { attemptSignIn, credentials } from '@/core/http/sign-in-attempt'

const signInRequest = credentials.extend({
  redirect: flag.default(true).describe('Whether the answer leads to `callbackUrl`.'),
  callbackUrl,
  transport: z
    .enum(['cookie', 'bearer'])
    .default('cookie')
    .describe('`bearer` sets no cookie and answers with a token instead.'),
})

export const signInRoutes = [
  route(
    {
      method: 'post',
      path: '/auth/signin',
      name: 'sign_in',
      summary: 'Sign in with a password',
      description:
        'Always a new session; the one that was there before ends. A browser form that fails is sent back to `/sign-in`.',
      who: anyone,
      takes: {
        body: signInRequest,
        forms: true,
        example: {
          email: 'viewer@example.com',
          password: 'plinth-demo-1',
          redirect: false,
          transport: 'bearer',
        },
      },
      answers: {
        200: {
          description: 'Signed in, with `redirect: false` or as a bearer, which has the token too.',
          body: z.strictObject({
            url: z.string(),
            session: sessionSchema,
            token: z.string().optional(),
          }),
        },
        303: {
          description: 'Signed in and sent to `callbackUrl`, or sent back to the form.',
          headers: { Location: 'Where to go.' },
        },
      },
      problems: ['invalid_credentials', 'rate_limited'],
      sendBack: async (c, problem) => (prefersPage(c) ? backToForm(c, problem) : undefined),
    },
    async (c, { body }) => welcome(c, await attemptSignIn(c, body), body),
  ),
]

function welcome(
  c: ApiContext,
  { token, session }: NewSession,
  { redirect, callbackUrl, transport }: z.output<typeof signInRequest>,
): Response {
  const url = safeCallback(callbackUrl, ownOrigin(c))
  const body = { url, session: publicSession(session) }
  if (transport === 'bearer') return c.json({ ...body, token })
  setSessionCookie(c, token, session.expiresAt)
  return redirect ? c.redirect(url, 303) : c.json(body)
}
