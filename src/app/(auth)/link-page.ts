import type { Metadata } from 'next'
import { z } from 'zod'

/**
 * For pages whose address holds a token: search engines stay away, and what the page loads or leads
 * to is not told the address, also where another host sets the headers. (`no-referrer` would take
 * the Origin from the form as well, and with it the proof of where the form was sent from.)
 */
export const linkPage: Metadata = {
  referrer: 'strict-origin',
  robots: { index: false, follow: false },
}

export const linkQuery = z.object({ token: z.string().max(100).optional() })
