import { z } from 'zod'
import { rememberTypedEmail } from '@/core/api/session-cookie'
import { apiScope } from '@/core/auth/sessions/api-scope'
import { formFields } from '@/core/http/input'
import { ownOrigin, safeCallbackUrl } from '@/core/http/origin'
import { Problem, problemResponse } from '@/core/http/problems'
import type { ApiContext } from '@/core/http/scope'

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
  const query = { error: problem.code, ...retryQuery(problem) }
  return c.redirect(signInUrl(query, safeCallbackUrl(callbackUrl, ownOrigin(c))), 303)
}

/** For the message of the sign-in page. A time and not a duration, so that it holds after a reload. */
function retryQuery({ extras }: Problem): Record<string, string> {
  const seconds = Number(extras.headers?.['retry-after'])
  return seconds > 0 ? { retryAt: String(Date.now() + seconds * 1000) } : {}
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
