import 'server-only'
import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { cookieNames } from '@/core/auth/cookie-names'
import type { Scope } from '@/core/auth/scope'
import { findSession } from '@/core/auth/sessions'
import { isToken } from '@/core/auth/token'
import { env } from '@/core/env'
import { clientAddress } from '@/core/http/client-address'
import { addressSeenByHost } from '@/core/http/page-address'

/** Who looks at the page, or calls the action: looked up once a request. */
export const currentScope = cache(async (): Promise<Scope> => {
  const sent = await headers()
  const token = (await cookies()).get(cookieNames(env().AUTH_URL).session)?.value
  const session = isToken(token) ? await findSession(token) : undefined
  return {
    session,
    address: clientAddress(
      addressSeenByHost(sent.get.bind(sent)),
      sent.get('x-forwarded-for') ?? undefined,
    ),
    requestId: sent.get('x-request-id') ?? '',
  }
})
