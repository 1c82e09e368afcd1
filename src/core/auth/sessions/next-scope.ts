import 'server-only'
import { headers } from 'next/headers'
import { cache } from 'react'
import { readScope } from '@/core/auth/sessions/scope'
import { clientIp } from '@/core/http/headers'
import { findRequestContext } from '@/core/http/request-context'
import type { Scope } from '@/core/http/scope'

/** The caller of a page or an action, read once per request. */
export const currentScope = cache(async (): Promise<Scope> => {
  const all = await headers()
  const context = findRequestContext(all)
  if (context) context.entered = true
  if (context?.scope) return context.scope
  const header = (name: string) => all.get(name) ?? undefined
  const scope = await readScope({
    authorization: header('authorization'),
    cookie: header('cookie'),
    userAgent: header('user-agent'),
    ip: clientIp(context?.remoteIp, header('x-forwarded-for')),
    requestId: header('x-request-id') ?? '',
  })
  if (context) context.userId = scope.session?.user.id
  return scope
})
