import { z } from 'zod'
import { callbackUrl, flag, sessionSchema } from '@/core/api/auth-schemas'
import { credentials, signInOrThrow } from '@/core/api/password-sign-in'
import { setSignInCookies } from '@/core/api/session-cookie'
import { redirectToForm } from '@/core/api/sign-in-redirect'
import { publicSession } from '@/core/auth/sessions/public-session'
import type { NewSession } from '@/core/auth/sessions/session'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { prefersHtml } from '@/core/http/headers'
import { ownOrigin, safeCallbackUrl } from '@/core/http/origin'
import type { ApiContext } from '@/core/http/scope'

const signInRequest = credentials.extend({
  redirect: flag.default(true).describe('Whether to redirect to `callbackUrl`.'),
  callbackUrl,
  transport: z
    .enum(['cookie', 'bearer'])
    .default('cookie')
    .describe('`bearer` sets no cookie and returns a token.'),
})

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
        body: signInRequest,
        forms: true,
        example: {
          email: 'viewer@example.com',
          password: 'plinth-demo-1',
          redirect: false,
          transport: 'bearer',
        },
      },
      responses: {
        200: {
          description:
            'Signed in, with `redirect: false` or `transport: "bearer"`, which adds the token.',
          body: z.strictObject({
            url: z.string(),
            session: sessionSchema,
            token: z.string().optional(),
          }),
        },
        303: {
          description: 'Redirects to `callbackUrl`, or back to the form.',
          headers: { Location: 'The URL.' },
        },
      },
      problems: ['invalid_credentials', 'rate_limited'],
      onProblem: async (c, problem) => (prefersHtml(c) ? redirectToForm(c, problem) : undefined),
    },
    async ({ input: { body }, c }) => signedIn(c, await signInOrThrow(c, body), body),
  ),
]

function signedIn(
  c: ApiContext,
  created: NewSession,
  { redirect, callbackUrl, transport }: z.output<typeof signInRequest>,
) {
  const url = safeCallbackUrl(callbackUrl, ownOrigin(c))
  const body = { url, session: publicSession(created.session) }
  if (transport === 'bearer') return { ...body, token: created.token }
  setSignInCookies(c, created)
  return redirect ? c.redirect(url, 303) : body
}
