import type { IncomingMessage } from 'node:http'
import { parse } from 'hono/utils/cookie'
import { cookieNames } from '@/core/auth/cookie-names'
import { identify } from '@/core/auth/identify'
import type { Scope } from '@/core/auth/scope'
import { env } from '@/core/env'
import { clientAddress } from '@/core/http/client-address'

/** Who asks for a page. */
export async function visitorOf(
  { headers, socket }: IncomingMessage,
  requestId: string,
): Promise<Scope> {
  const cookie = parse(headers.cookie ?? '')[cookieNames(env().AUTH_URL).session]
  return {
    ...(await identify({ authorization: headers.authorization, cookie })),
    address: clientAddress(socket.remoteAddress, one(headers['x-forwarded-for'])),
    requestId,
  }
}

export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
