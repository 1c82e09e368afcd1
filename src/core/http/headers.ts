import { createMiddleware } from 'hono/factory'
import { env } from '@/core/env'
import type { ApiEnvironment } from '@/core/http/context'

/** On everything that the process sends. */
function securityHeaders(authUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(authUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/**
 * Answers of the interface are data: nothing in them may run, nor be framed. They are about a
 * person unless a route says otherwise, so nobody may keep them.
 */
export function interfaceHeaders(authUrl: string): Record<string, string> {
  return {
    ...securityHeaders(authUrl),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
  }
}

/**
 * Pages are seen and clicked: nobody frames them, and no other window holds on to theirs. Their
 * addresses may hold a token, so only the origin is told to what they load or lead to.
 */
export function pageHeaders(authUrl: string): Record<string, string> {
  return {
    ...securityHeaders(authUrl),
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  }
}

export const headers = createMiddleware<ApiEnvironment>(async (c, next) => {
  for (const [name, value] of Object.entries(interfaceHeaders(env().AUTH_URL)))
    c.header(name, value)
  await next()
})
