import { env } from 'plinth/config/env'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'

/** Passed on from page to page and in mail. A longer one is dropped. */
export const callbackUrlField = z.string().max(500).optional().catch(undefined)

/** The same page for a callback URL that is not safe, and no query if it leads home anyway. */
export function withCallbackUrl(path: string, requested: string | undefined): string {
  return urlWith(path, { callbackUrl: safeOrUndefined(requested) })
}

/** As a hidden field. */
export function callbackFields(requested: string | undefined): Record<string, string> {
  const callbackUrl = safeOrUndefined(requested)
  return callbackUrl === undefined ? {} : { callbackUrl }
}

export function safeOrUndefined(requested: string | undefined): string | undefined {
  const url = callbackUrlOrHome(requested, env().AUTH_URL)
  return url === '/home' ? undefined : url
}
