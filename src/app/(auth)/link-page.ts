import type { Metadata } from 'next'
import { z } from 'zod'
import { callbackUrlField } from './callback-url'

/**
 * For pages with a token in the URL: not indexed, and the URL is not sent as a referrer, also where
 * another host sets the headers. `no-referrer` would also remove the Origin header from the form,
 * which the CSRF check needs.
 */
export const linkPage: Metadata = {
  referrer: 'strict-origin',
  robots: { index: false, follow: false },
}

export const linkQuery = z.object({
  token: z.string().max(100).optional(),
  callbackUrl: callbackUrlField,
})
