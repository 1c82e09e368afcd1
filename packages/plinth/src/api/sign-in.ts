import { z } from 'zod'
import { rememberTypedEmail, setChallengeCookie, setSignInCookies } from '#api/cookies'
import { normalizeEmail } from '#auth/accounts/fields'
import { reserveHash } from '#auth/passwords/hash'
import { isHashingQueueFull } from '#auth/passwords/queue'
import { signInWithPassword } from '#auth/passwords/sign-in'
import { publicSession } from '#auth/sessions/read'
import { anonymousScope, apiScope } from '#auth/sessions/scope'
import type { NewSession } from '#auth/sessions/session'
import { isPending, type PendingSignIn, stepUrl } from '#auth/sessions/steps'
import { databaseNow } from '#db/clock'
import { isAccountFrozen } from '#db/errors'
import type { ApiContext } from '#http/api-context'
import { ownOrigin, safeCallbackUrl } from '#http/headers'
import { formFields } from '#http/input'
import { isProblem, Problem, problemResponse } from '#http/problems'
import { count } from '#metrics/metrics'
import { attemptPassword } from '#rate-limits/password-attempts'
import { tooBusy, tooManyRequests } from '#rate-limits/rate-limit'
import { roles } from '#universal/users'

/** A form sends text where JSON has a boolean. */
export const flag = z.boolean().or(z.enum(['true', 'false']).transform((value) => value === 'true'))

export const callbackUrl = z
  .string()
  .max(2000)
  .optional()
  .describe('Where to go afterwards: a path or URL on this origin. Any other value becomes `/`.')

/** Exactly these fields: no token, and no other field of the user. */
export const sessionSchema = z
  .strictObject({
    user: z.strictObject({
      id: z.uuid(),
      email: z.string(),
      name: z.string(),
      role: z.enum(roles),
    }),
    expires: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: 'Session' })

export const urlResponse = z.strictObject({ url: z.string() })

/** Unvalidated: a sign-in must not reveal the rules for emails and passwords. */
export const credentials = z.object({
  email: z.string().min(1, 'Enter your email.').max(1000),
  password: z.string().min(1, 'Enter your password.').max(1000),
})

/** The fields of every route that ends with a session. */
export const signInOptions = {
  redirect: flag.default(true).describe('Whether to redirect to `callbackUrl`.'),
  callbackUrl,
  transport: z
    .enum(['cookie', 'bearer'])
    .default('cookie')
    .describe('`bearer` sets no cookie and returns a token.'),
}

export const signInResponses = {
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
}

type SignInOptions = {
  redirect: boolean
  callbackUrl?: string | undefined
  transport: 'cookie' | 'bearer'
}

export function signInResponse(
  c: ApiContext,
  created: NewSession,
  { redirect, callbackUrl, transport }: SignInOptions,
) {
  const url = safeCallbackUrl(callbackUrl, ownOrigin(c))
  const body = { url, session: publicSession(created.session) }
  if (transport === 'bearer') return { ...body, token: created.token }
  setSignInCookies(c, created)
  return redirect ? c.redirect(url, 303) : body
}

/** One rate-limited attempt, for every route that takes a password. */
export function signInOrThrow(
  c: ApiContext,
  typed: z.output<typeof credentials>,
): Promise<NewSession> {
  return reserveHash(anonymousScope(c), () => attempt(c, typed)).catch((error) => {
    throw isHashingQueueFull(error) ? tooBusy() : error
  })
}

async function attempt(
  c: ApiContext,
  { email, password }: z.output<typeof credentials>,
): Promise<NewSession> {
  const scope = await apiScope(c)
  const account = normalizeEmail(email)
  const attempted = await attemptPassword(scope, account, () =>
    signInWithPassword(scope, { email: account, password }).catch(frozenOrThrow),
  )
  if (attempted.refused) {
    count('plinth_sign_ins_total', { method: 'password', result: 'rate_limited' })
    throw tooManyRequests(attempted.refused)
  }
  if (!attempted.result) throw new Problem('invalid_credentials')
  if (isProblem(attempted.result)) throw attempted.result
  return requireSession(c, attempted.result)
}

/** The password was right, so the attempt counts as a success. */
function frozenOrThrow(error: unknown): Problem {
  if (isAccountFrozen(error)) return new Problem('account_frozen')
  throw error
}

/** Throws if another step has to follow before there is a session. */
export function requireSession<Created extends NewSession>(
  c: ApiContext,
  signedIn: Created | PendingSignIn,
): Created {
  if (isPending(signedIn)) throw secondFactorRequired(signedIn)
  c.set('userId', signedIn.session.user.id)
  return signedIn
}

function secondFactorRequired(pending: PendingSignIn): Problem {
  if (pending.methods.length > 0) return new Problem('second_factor_required', { pending })
  const detail = 'Your account needs a second factor. Sign in with a browser to set one up.'
  return new Problem('second_factor_required', { pending, detail })
}

/** The fields that the form shows again. */
const signInForm = z.object({
  email: z.string().optional(),
  callbackUrl: z.string().optional(),
})

/** Back to the form, with the callback URL and the typed email. */
export async function redirectToForm(c: ApiContext, problem: Problem): Promise<Response> {
  const typed = signInForm.safeParse(await formFields(c)).data
  if (typed?.email) rememberTypedEmail(c, typed.email)
  return redirectToSignIn(c, problem, typed?.callbackUrl)
}

export function redirectToSignIn(
  c: ApiContext,
  problem: Problem,
  callbackUrl: string | undefined,
): Response {
  const next = safeCallbackUrl(callbackUrl, ownOrigin(c))
  const { pending } = problem.extras
  if (pending) {
    setChallengeCookie(c, pending.challenge)
    return c.redirect(stepUrl(pending, next), 303)
  }
  return c.redirect(signInUrl({ error: problem.code, ...retryQuery(problem) }, next), 303)
}

/** For the message of the sign-in page. A time and not a duration, so that it holds after a reload. */
function retryQuery({ extras }: Problem): Record<string, string> {
  const seconds = Number(extras.headers?.['retry-after'])
  return seconds > 0 ? { retryAt: String(Math.round(databaseNow() + seconds * 1000)) } : {}
}

/**
 * A signed-in user wanted to link an account. They return to that page, which shows the error. Its
 * query is dropped, because it describes success. With an old sign-in they confirm it first.
 */
export async function redirectToLinking(
  c: ApiContext,
  problem: Problem,
  callbackUrl: string | undefined,
): Promise<Response> {
  const origin = ownOrigin(c)
  const { pathname } = new URL(safeCallbackUrl(callbackUrl, origin), origin)
  const { session } = await apiScope(c)
  if (session && problem.code === 'reauthentication_required') {
    return c.redirect(`/confirm?${new URLSearchParams({ callbackUrl: pathname })}`, 303)
  }
  if (!session || pathname === '/') return redirectToSignIn(c, problem, pathname)
  return c.redirect(`${pathname}?${new URLSearchParams({ error: problem.code })}`, 303)
}

/** To the page that asked for the proof of a change, which shows the error. */
export function redirectToProof(
  c: ApiContext,
  problem: Problem,
  callbackUrl: string | undefined,
): Response {
  const origin = ownOrigin(c)
  const page = new URL(safeCallbackUrl(callbackUrl, origin), origin)
  page.searchParams.set('error', problem.code)
  return c.redirect(page.pathname + page.search, 303)
}

/** Auth.js's client reads the error from the URL in the body. */
export function problemWithUrl(
  c: ApiContext,
  problem: Problem,
  query: Record<string, string>,
): Response {
  const url = `${ownOrigin(c)}${signInUrl({ ...query, ...retryQuery(problem) }, '/')}`
  return problemResponse(c, new Problem(problem.code, { ...problem.extras, url }))
}

export function signInUrl(parameters: Record<string, string>, callbackUrl: string): string {
  const query = new URLSearchParams(parameters)
  if (callbackUrl !== '/') query.set('callbackUrl', callbackUrl)
  return query.size > 0 ? `/sign-in?${query}` : '/sign-in'
}

/** JSON instead of a redirect, as `redirect: false` or Auth.js's client asks for. */
export function wantsJson(c: ApiContext, redirect = true): boolean {
  return !redirect || c.req.header('x-auth-return-redirect') === '1'
}
