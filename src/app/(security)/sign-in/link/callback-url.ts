import { env } from 'plinth/config/env'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { z } from 'zod'

const maxLength = 500

/** Passed on from page to page and in mail. A longer one is dropped. */
export const callbackUrlField = z.string().max(maxLength).optional().catch(undefined)

/** Undefined if it leads home anyway, is not safe, or is too long for mail once it is encoded. */
export function safeCallback(requested: string | undefined): string | undefined {
  const url = callbackUrlOrHome(requested, env().AUTH_URL)
  return url === '/home' || url.length > maxLength ? undefined : url
}

/** As a hidden field. */
export function callbackFields(requested: string | undefined): Record<string, string> {
  const callbackUrl = safeCallback(requested)
  return callbackUrl === undefined ? {} : { callbackUrl }
}
