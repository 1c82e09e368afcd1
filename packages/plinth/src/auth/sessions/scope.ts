import type { IncomingMessage } from 'node:http'
import { findSession } from '#auth/sessions/cache'
import { bearerToken, cookieNames, cookieToken, deviceCookie } from '#auth/sessions/cookie'
import { env } from '#config/env'
import type { ApiContext } from '#http/api-context'
import { clientIp } from '#http/headers'
import type { Scope, Session } from '#http/scope'

/** The caller of an API route, read once per request and only when needed. */
export async function apiScope(c: ApiContext): Promise<Scope> {
  const cached = c.get('scope')
  if (cached) return cached
  const scope = await readScope({
    authorization: c.req.header('authorization'),
    cookie: c.req.header('cookie'),
    ...caller(c),
  })
  c.set('scope', scope)
  if (scope.session) c.set('userId', scope.session.user.id)
  return scope
}

/** For routes that are the same for every caller: the session is not read. */
export function anonymousScope(c: ApiContext): Scope {
  return { session: undefined, bearer: false, ...caller(c) }
}

function caller(c: ApiContext) {
  const remoteIp = c.env?.incoming?.socket.remoteAddress
  return {
    ip: clientIp(remoteIp, c.req.header('x-forwarded-for')),
    requestId: c.get('requestId'),
    userAgent: c.req.header('user-agent'),
  }
}

/** The caller of a page, before Next renders it. */
export function nodeScope({ headers, socket }: IncomingMessage, requestId: string): Promise<Scope> {
  return readScope({
    authorization: headers.authorization,
    cookie: headers.cookie,
    userAgent: headers['user-agent'],
    ip: clientIp(socket.remoteAddress, joinHeader(headers['x-forwarded-for'])),
    requestId,
  })
}

export function joinHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

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

async function sessionOf(token: string | undefined): Promise<Session | undefined> {
  return token === undefined ? undefined : findSession(token)
}
