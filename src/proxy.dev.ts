import { type NextRequest, NextResponse } from 'next/server'
import { contentSecurityPolicy } from '@/core/http/content-security-policy'

/**
 * While developing, Next is the host: pages get the policy that they will live under, so that what
 * it forbids is seen at once. In production Plinth's own host sets it and this file is not built.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID())
  const policy = contentSecurityPolicy({ nonce, https: false, development: true })
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = { matcher: '/((?!api|_next/).*)' }
