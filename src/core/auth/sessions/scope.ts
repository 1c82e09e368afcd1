import 'server-only'
import { findSession } from '@/core/auth/sessions/cache/session-cache'
import { cookieNames, cookieToken, deviceCookie } from '@/core/auth/sessions/cookie'
import { isToken } from '@/core/auth/sessions/token'
import { env } from '@/core/config/env'
import type { Scope, Session } from '@/core/http/scope'

/** The headers are raw; `ip` and `requestId` are already determined. */
type Request = {
  authorization: string | undefined
  cookie: string | undefined
  userAgent: string | undefined
  ip: string
  requestId: string
}

/**
 * The only code that turns a request into a scope. A live bearer token wins; a dead or malformed one
 * is ignored and the cookie decides.
 */
export async function readScope(request: Request): Promise<Scope> {
  const { authorization, cookie, ...rest } = request
  const names = cookieNames(env().AUTH_URL)
  const caller = { ...rest, device: deviceCookie(cookie, names.device) }
  const bearer = await sessionOf(bearerToken(authorization))
  if (bearer) return { session: bearer, bearer: true, ...caller }
  const token = cookieToken(cookie, names.session)
  return { session: await sessionOf(token), bearer: false, ...caller }
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1]
}

async function sessionOf(token: string | undefined): Promise<Session | undefined> {
  return isToken(token) ? findSession(token) : undefined
}
