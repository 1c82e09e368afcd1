import type { IncomingMessage, ServerResponse } from 'node:http'
import { cookieOptions } from '#auth/sessions/cookie'
import type { Env } from '#config/env'
import { flashCookieName, readFlashCookie } from '#guard/flash'
import { isPrefetch } from '#http/headers'
import { findPage } from '#http/page-registry'
import type { RequestContext } from '#http/request-context'

/** Gives a page that is opened the message to show. A prefetch or HEAD leaves it for later. */
export function takeFlash(
  { method, headers, url = '/' }: IncomingMessage,
  context: RequestContext,
  { AUTH_URL }: Env,
): void {
  if (method !== 'GET' || isPrefetch((name) => headers[name])) return
  if (!findPage(url.split('?', 1)[0] ?? '/')) return
  context.flash = readFlashCookie(headers.cookie, AUTH_URL)
  // Next renders the page that an action redirects to into the response of the action.
  if (context.flash && context.original) context.original.flashShown = true
}

/** Before the headers are sent. Any status but 200 means that the message was not shown. */
export function clearFlash(
  response: ServerResponse,
  status: number,
  { flash, flashShown, original }: RequestContext,
  settings: Env,
): void {
  const name = flashCookieName(settings.AUTH_URL)
  if (flashShown) removeCookie(response, name)
  if (flash && !original && status === 200) {
    const { secure, sameSite } = cookieOptions(settings)
    const attributes = `Max-Age=0; Path=/; SameSite=${sameSite}${secure ? '; Secure' : ''}`
    response.appendHeader('set-cookie', `${name}=; ${attributes}`)
  }
}

function removeCookie(response: ServerResponse, name: string): void {
  const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String)
  const others = cookies.filter((cookie) => !cookie.startsWith(`${name}=`))
  response.removeHeader('set-cookie')
  if (others.length > 0) response.setHeader('set-cookie', others)
}
