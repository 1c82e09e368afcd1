import 'server-only'
import { cookies } from 'next/headers'
import { cookieOptions } from '@/core/auth/sessions/cookie'
import { env } from '@/core/config/env'
import { encodeFlash, flashCookieName, flashCookieSeconds } from '@/core/flash/cookie'
import type { Flash } from '@/core/ui/flash'

/** In a server action, before it redirects. */
export async function setFlash(flash: Omit<Flash, 'id'>, userId: string | undefined) {
  // Scripts may see that a message waits: while it does, they prefetch no page.
  const options = { ...cookieOptions(env()), httpOnly: false, maxAge: flashCookieSeconds }
  ;(await cookies()).set(flashCookieName(env().AUTH_URL), encodeFlash(flash, userId), options)
}
