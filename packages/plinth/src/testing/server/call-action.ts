import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ActionResult } from '#universal/action-result'

type Manifest = Record<string, { exportedName: string; workers: Record<string, unknown> }>

let read: Map<string, { id: string; path: string }> | undefined

/** Every server action of the build by name, with its id and the path of a page that has it. */
export function builtActions(): Map<string, { id: string; path: string }> {
  read ??= readActions()
  return read
}

function readActions(): Map<string, { id: string; path: string }> {
  const { node } = JSON.parse(readFileSync('.next/server/server-reference-manifest.json', 'utf8'))
  const entries = Object.entries(node as Manifest).map(([id, { exportedName, workers }]) => {
    const [worker = ''] = Object.keys(workers)
    return [exportedName, { id, path: pagePath(worker) }] as const
  })
  return new Map(entries)
}

/** `app/(name)/things/[id]/page` has the path `/things/…`. */
function pagePath(worker: string): string {
  const parts = worker.split('/').slice(1, -1)
  const visible = parts.filter((part) => !part.startsWith('('))
  return `/${visible.map((part) => (part.startsWith('[') ? crypto.randomUUID() : part)).join('/')}`
}

export type ActionOutcome = ActionResult<unknown> | { redirected: string }

/** Calls an action of the running server with the request that Next's client sends. */
export async function callAction(
  base: string,
  name: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<ActionOutcome> {
  return parseActionResponse(name, await sendAction(base, name, input, headers))
}

export async function sendAction(
  base: string,
  name: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const action = builtActions().get(name)
  if (!action) throw new Error(`The build has no action ${name}.`)
  return fetch(`${base}${action.path}`, {
    method: 'POST',
    body: JSON.stringify([input]),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': action.id, ...headers },
  })
}

export async function parseActionResponse(
  name: string,
  response: Response,
): Promise<ActionOutcome> {
  // Also of a redirect: a response that is not read may never end.
  const text = await response.text()
  const redirected = response.headers.get('x-action-redirect')
  if (redirected) return { redirected: redirected.split(';')[0] ?? '' }
  const row = text.split('\n').find((line) => /^\w+:\{"ok":/.test(line))
  if (!row) throw new Error(`${name} returned ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(row.slice(row.indexOf(':') + 1))
}

/** `done` or the error code. */
export function outcomeOf(result: ActionOutcome): string {
  if ('redirected' in result || result.ok) return 'done'
  return result.code
}

/** Submits a form as a browser without JavaScript does, including its hidden fields. */
export async function submitForm(
  page: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const html = await (await fetch(page, { headers })).text()
  const [form = ''] = /<form[^>]*>(?:(?!<\/form>)[\s\S])*\$ACTION[\s\S]*?<\/form>/.exec(html) ?? []
  const body = new FormData()
  for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    body.append(attribute(input, 'name'), attribute(input, 'value'))
  }
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** In a /64 of its own, so that no other test or earlier run has used up its rate limits. */
export function randomIp(): string {
  const [one, other] = randomBytes(4).toString('hex').match(/.{4}/g) ?? []
  return `2001:db8:${one}:${other}::1`
}
