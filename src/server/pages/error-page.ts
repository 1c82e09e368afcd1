import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'

export type SendPage = (response: ServerResponse) => void

/** Sends a prerendered page, kept in memory, at the requested URL. */
export function errorPage(
  { path, status, headers = {} }: { path: string; status: number; headers?: Headers },
  policyFor: (path: string) => string,
): SendPage {
  const page = readFileSync(join(process.cwd(), '.next/server/app', `${path}.html`))
  return (response) => {
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': page.length,
      'content-security-policy': policyFor(path),
      'cache-control': 'private, no-store',
      ...headers,
    })
    response.end(page)
  }
}

type Headers = Readonly<Record<string, string>>
