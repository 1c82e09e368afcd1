import 'server-only'
import type { IncomingMessage } from 'node:http'
import { readScope } from '@/core/auth/sessions/scope'
import { clientIp } from '@/core/http/headers'
import type { Scope } from '@/core/http/scope'

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
