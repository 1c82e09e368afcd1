import { type NextRequest, NextResponse } from 'next/server'
import { configuredProviders } from 'plinth/auth/oauth/configured-providers'
import { env } from 'plinth/config/env'
import { flashCookieName } from 'plinth/guard/flash'
import { contentSecurityPolicy } from 'plinth/http/headers'

/**
 * In development Next is the host, and pages get the same content security policy as in production.
 * In production our server sets it, and this file is not built.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID())
  const settings = env()
  // The development OAuth providers are this server, under either of its names.
  const providers = configuredProviders(settings).map(({ origin }) => origin)
  const formTargets = [...settings.ownOrigins, ...providers]
  const policy = contentSecurityPolicy({ nonce, https: false, formTargets, development: true })
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  // The page shows the message of the cookie. Next prefetches nothing in development.
  const flash = flashCookieName(settings.AUTH_URL)
  if (request.method === 'GET' && request.cookies.has(flash)) response.cookies.delete(flash)
  return response
}

export const config = { matcher: '/((?!api|_next/).*)' }
