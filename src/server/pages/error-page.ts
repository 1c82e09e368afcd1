import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { typedText } from '@/server/pages/typed-text'

/** With a form, the page shows what was typed into it. */
export type SendPage = (response: ServerResponse, form?: FormData) => void

/** Sends a prerendered page, kept in memory, at the requested URL. */
export function errorPage(
  { path, status, headers = {} }: { path: string; status: number; headers?: Headers },
  policyFor: (path: string) => string,
): SendPage {
  const page = readFileSync(join(process.cwd(), '.next/server/app', `${path}.html`))
  const [before = '', after] = page.toString().split('<!--typed-->')
  return (response, form) => {
    const isTyped = form !== undefined && after !== undefined
    const content = isTyped ? Buffer.from(before + typedText(form) + after) : page
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': content.length,
      'content-security-policy': policyFor(path),
      'cache-control': 'private, no-store',
      ...headers,
    })
    response.end(content)
  }
}

type Headers = Readonly<Record<string, string>>
