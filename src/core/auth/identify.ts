import 'server-only'
import type { LiveSession } from '@/core/auth/scope'
import { findSession } from '@/core/auth/sessions'
import { isToken } from '@/core/auth/token'

type Tokens = { authorization: string | undefined; cookie: string | undefined }

type Identity = { session: LiveSession | undefined; bearer: boolean }

/** A live bearer wins; a dead, malformed or foreign one is as if it were not there. */
export async function identify({ authorization, cookie }: Tokens): Promise<Identity> {
  const byBearer = await bearerSession(authorization)
  if (byBearer) return { session: byBearer, bearer: true }
  return { session: isToken(cookie) ? await findSession(cookie) : undefined, bearer: false }
}

async function bearerSession(authorization: string | undefined): Promise<LiveSession | undefined> {
  const token = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1]
  return isToken(token) ? findSession(token) : undefined
}
