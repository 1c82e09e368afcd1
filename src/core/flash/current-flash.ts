import 'server-only'
import { headers } from 'next/headers'
import { env } from '@/core/config/env'
import { decodeFlash, readFlashCookie } from '@/core/flash/cookie'
import { isPrefetch } from '@/core/http/headers'
import { findRequestContext } from '@/core/http/request-context'
import type { Flash } from '@/core/ui/flash'

/** The message to show on this page. The server clears it, so it is shown once. */
export async function currentFlash(userId: string | undefined): Promise<Flash | undefined> {
  const all = await headers()
  const context = findRequestContext(all)
  return decodeFlash(context ? context.flash : sentFlash(all), userId)
}

/** When Next is the host. */
function sentFlash(all: Headers): string | undefined {
  if (isPrefetch((name) => all.get(name))) return undefined
  return readFlashCookie(all.get('cookie') ?? undefined, env().AUTH_URL)
}
