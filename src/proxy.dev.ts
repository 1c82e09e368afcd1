import { type NextRequest, NextResponse } from 'next/server'
import { env } from '@/core/env'
import { contentSecurityPolicy } from '@/core/http/content-security-policy'

/**
 * While developing, Next is the host: pages get the policy that they will live under, so that what
 * it forbids is seen at once. In production Plinth's own host sets it and this file is not built.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID())
  const settings = env()
  // The providers for development are this very server, by either of its names.
  const providers = settings.providers.map(({ origin }) => origin)
  const formTargets = [...settings.ownOrigins, ...providers]
  const policy = contentSecurityPolicy({ nonce, https: false, formTargets, development: true })
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = { matcher: '/((?!api|_next/).*)' }
