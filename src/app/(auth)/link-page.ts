import type { Metadata } from 'next'

/**
 * For pages whose address holds a token: search engines stay away, and what the page loads or leads
 * to is not told the address, also where another host sets the headers. (`no-referrer` would take
 * the Origin from the form as well, and with it the proof of where the form was sent from.)
 */
export const linkPage: Metadata = {
  referrer: 'strict-origin',
  robots: { index: false, follow: false },
}

export type Query = Promise<Record<string, string | string[] | undefined>>

export async function tokenIn(query: Query): Promise<string | undefined> {
  const { token } = await query
  return Array.isArray(token) ? token[0] : token
}
