import { readFileSync } from 'node:fs'
import type { ActionResult } from '@/core/guard/action-result'

type Manifest = Record<string, { exportedName: string; workers: Record<string, unknown> }>

/** Every server action of the build, by name, with its id and a page that it can be called at. */
export function actionsOfBuild(): Map<string, { id: string; path: string }> {
  const { node } = JSON.parse(readFileSync('.next/server/server-reference-manifest.json', 'utf8'))
  const entries = Object.entries(node as Manifest).map(([id, { exportedName, workers }]) => {
    const [worker = ''] = Object.keys(workers)
    return [exportedName, { id, path: pathOf(worker) }] as const
  })
  return new Map(entries)
}

/** `app/(name)/things/[id]/page` is at `/things/…`. */
function pathOf(worker: string): string {
  const parts = worker.split('/').slice(1, -1)
  const shown = parts.filter((part) => !part.startsWith('('))
  return `/${shown.map((part) => (part.startsWith('[') ? crypto.randomUUID() : part)).join('/')}`
}

export type Called = ActionResult<unknown> | { redirected: string }

/** Calls an action of the running product as the browser's own code does. */
export async function callAction(
  base: string,
  name: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  return calledBy(name, await sendAction(base, name, input, headers))
}

/** The same, for who wants to see the cookies too. */
export async function sendAction(
  base: string,
  name: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const action = actionsOfBuild().get(name)
  if (!action) throw new Error(`There is no action ${name} in the build.`)
  return fetch(`${base}${action.path}`, {
    method: 'POST',
    body: JSON.stringify([input]),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': action.id, ...headers },
  })
}

/** What came of it. */
export async function calledBy(name: string, response: Response): Promise<Called> {
  const redirected = response.headers.get('x-action-redirect')
  if (redirected) return { redirected: redirected.split(';')[0] ?? '' }
  const text = await response.text()
  const row = text.split('\n').find((line) => /^\w+:\{"ok":/.test(line))
  if (!row) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(row.slice(row.indexOf(':') + 1))
}

/** What a matrix compares: done, or the code of the refusal. */
export function outcomeOf(called: Called): string {
  if ('redirected' in called || called.ok) return 'done'
  return called.code
}
