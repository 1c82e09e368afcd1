import 'server-only'
import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { cookieNames } from '@/core/auth/cookie-names'
import type { Scope } from '@/core/auth/scope'
import { findSession } from '@/core/auth/sessions'
import { isToken } from '@/core/auth/token'
import { env } from '@/core/env'

/** Who looks at the page, or calls the action: looked up once a request. */
export const currentScope = cache(async (): Promise<Scope> => {
  const token = (await cookies()).get(cookieNames(env().AUTH_URL).session)?.value
  const requestId = (await headers()).get('x-request-id') ?? ''
  const session = isToken(token) ? await findSession(token) : undefined
  return { session, address: 'unknown', requestId }
})
