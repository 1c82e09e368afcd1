import 'server-only'
import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { cookieNames } from '@/core/auth/cookie-names'
import { identify } from '@/core/auth/identify'
import type { Scope } from '@/core/auth/scope'
import { env } from '@/core/env'
import { clientAddress } from '@/core/http/client-address'
import { findVisit } from '@/core/http/page-visit'

/** Who looks at the page, or calls the action: looked up once a request. */
export const currentScope = cache(async (): Promise<Scope> => {
  const sent = await headers()
  const visit = findVisit(sent)
  if (visit?.scope) return visit.scope
  const header = (name: string) => sent.get(name) ?? undefined
  const cookie = (await cookies()).get(cookieNames(env().AUTH_URL).session)?.value
  const identity = await identify({ authorization: header('authorization'), cookie })
  if (visit) visit.userId = identity.session?.user.id
  return {
    ...identity,
    address: clientAddress(visit?.address, header('x-forwarded-for')),
    requestId: header('x-request-id') ?? '',
  }
})
