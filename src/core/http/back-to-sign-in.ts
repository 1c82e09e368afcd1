import { accepts } from 'hono/accepts'
import { z } from 'zod'
import { safeCallback } from '@/core/auth/callback-url'
import { answerProblem } from '@/core/http/answer-problem'
import { formFields } from '@/core/http/body'
import type { ApiContext } from '@/core/http/context'
import { scopeOf } from '@/core/http/identify'
import { ownOrigin } from '@/core/http/own-origin'
import { Problem } from '@/core/http/problem'
import { rememberTypedEmail } from '@/core/http/session-cookie'

export function prefersPage(c: ApiContext): boolean {
  const supports = ['application/json', 'text/html']
  const wanted = accepts(c, { header: 'Accept', supports, default: 'application/json' })
  return wanted === 'text/html'
}

/** What can be shown again, however wrong the rest was. */
const signInForm = z.object({
  email: z.string().optional(),
  callbackUrl: z.string().optional(),
})

/** A person at a form is sent back to it, with where they were going and what they typed. */
export async function backToForm(c: ApiContext, problem: Problem): Promise<Response> {
  const typed = signInForm.safeParse(await formFields(c)).data
  if (typed?.email) rememberTypedEmail(c, typed.email)
  return backToSignIn(c, problem, typed?.callbackUrl)
}

export function backToSignIn(
  c: ApiContext,
  { code }: Problem,
  callbackUrl: string | undefined,
): Response {
  return c.redirect(signInPage({ error: code }, safeCallback(callbackUrl, ownOrigin(c))), 303)
}

/**
 * Whoever is signed in came to link an account, from a page that can tell them what became of it.
 * Only its path is kept: what else the address says, it says for the case that all went well.
 */
export async function backToLinking(
  c: ApiContext,
  problem: Problem,
  callbackUrl: string | undefined,
): Promise<Response> {
  const origin = ownOrigin(c)
  const { pathname } = new URL(safeCallback(callbackUrl, origin), origin)
  const { session } = await scopeOf(c)
  if (!session || pathname === '/') return backToSignIn(c, problem, pathname)
  return c.redirect(`${pathname}?${new URLSearchParams({ error: problem.code })}`, 303)
}

/** Auth.js's client reads from the address what went wrong, whatever the rest of the answer says. */
export function problemWithUrl(
  c: ApiContext,
  { code, extras }: Problem,
  told: Record<string, string>,
): Response {
  const url = `${ownOrigin(c)}${signInPage(told, '/')}`
  return answerProblem(c, new Problem(code, { ...extras, url }))
}

/** The page with what it should tell, and where to go on from it. */
export function signInPage(told: Record<string, string>, callbackUrl: string): string {
  const query = new URLSearchParams(told)
  if (callbackUrl !== '/') query.set('callbackUrl', callbackUrl)
  return query.size > 0 ? `/sign-in?${query}` : '/sign-in'
}
