import { env } from '@/core/env'
import type { ApiContext } from '@/core/http/context'

/**
 * Where the caller sees us. Only ever one of our own origins: without AUTH_URL this machine has two
 * names, and cookies that were set under one are not sent to the other.
 */
export function ownOrigin(c: ApiContext): string {
  const { AUTH_URL, ownOrigins } = env()
  const host = c.req.header('host')
  return ownOrigins.find((origin) => new URL(origin).host === host) ?? AUTH_URL
}
