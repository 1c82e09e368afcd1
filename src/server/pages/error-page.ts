import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { escapeHtml } from '@/core/layout/site-metadata'
import { isSecretName } from '@/core/ui/typed-text'

/**
 * The page to send instead of one that `load` or its policy refused, or undefined. Next would send
 * it without markup and with the title of the refused page. Its router loads the document instead.
 */
export function refusedPages(policyFor: (path: string) => string) {
  const pages: Record<string, SendPage> = {
    'NEXT_HTTP_ERROR_FALLBACK;403': errorPage({ path: '/access-denied', status: 403 }, policyFor),
    'NEXT_HTTP_ERROR_FALLBACK;404': errorPage({ path: '/_not-found', status: 404 }, policyFor),
  }
  return (error: unknown): SendPage | undefined =>
    pages[String((error as { digest?: unknown } | undefined)?.digest)]
}

/** With a form, the page shows what was typed into it. */
type SendPage = (response: ServerResponse, form?: FormData) => void

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

/** The page is larger than the body of a form only by what is escaped. */
const maxFields = 50

/** What was typed into a form without JavaScript, to copy from the page that is shown instead. */
function typedText(form: FormData): string {
  const fields = [...form].filter(isTyped).slice(0, maxFields)
  if (fields.length === 0) return ''
  const list = fields.map(([name, text], index) => {
    const id = `typed-${index}`
    const label = `<label for="${id}">${escapeHtml(labelOf(name))}</label>`
    const attributes = `id="${id}" class="control" rows="${rowsOf(text)}" dir="auto" readonly`
    // The line break is not part of the text: without it, one at the start of the text would be lost.
    const field = `<textarea ${attributes}>\n${escapeHtml(text)}</textarea>`
    return `<div class="field">${label}${field}</div>`
  })
  const hint = '<p class="mt-3">This is what you typed, to copy. Passwords are not shown.</p>'
  return `${hint}<div class="form mt-6 text-left">${list.join('')}</div>`
}

const idName = /(^|_)ids?$|Ids?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ids are hidden fields, as are the fields of React. Checkboxes send on or off. */
function isTyped(field: [name: string, value: unknown]): field is [string, string] {
  const [name, value] = field
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    !/^(on|off)$/.test(value) &&
    !name.startsWith('$ACTION') &&
    !isSecretName(name) &&
    !(idName.test(name) && uuid.test(value))
  )
}

/** `displayName` becomes "Display name". */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function rowsOf(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 50), 0)
  return Math.min(lines, 12)
}
