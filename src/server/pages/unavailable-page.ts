import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'

const path = '/unavailable'

export const retryAfterSeconds = '2'

/** 503 with a prerendered page, kept in memory: it needs no database. */
export function unavailablePage(
  policyFor: (path: string) => string,
): (response: ServerResponse) => void {
  const page = readFileSync(join(process.cwd(), '.next/server/app', `${path}.html`))
  return (response) => {
    response.writeHead(503, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': page.length,
      'content-security-policy': policyFor(path),
      'cache-control': 'private, no-store',
      'retry-after': retryAfterSeconds,
    })
    response.end(page)
  }
}
