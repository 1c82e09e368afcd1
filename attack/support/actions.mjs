import { existsSync, readFileSync } from 'node:fs'
import { send } from './send.mjs'

const manifest = '.next/server/server-reference-manifest.json'

/** The server actions of this build by name, or the reason why they are unknown. */
export async function findActions(base) {
  if (!existsSync(manifest)) return 'no build here, so the ids of actions are unknown'
  const page = await send(base, '/sign-in').then((response) => response.text())
  if (!page.includes(readFileSync('.next/BUILD_ID', 'utf8').trim())) {
    return 'the server runs another build, so the ids of its actions are unknown'
  }
  const { node } = JSON.parse(readFileSync(manifest, 'utf8'))
  return new Map(
    Object.entries(node).map(([id, { exportedName, workers }]) => [
      exportedName,
      { id, path: pagePath(Object.keys(workers)[0]) },
    ]),
  )
}

/** `app/(name)/things/[id]/page` has the path `/things/…`. */
function pagePath(worker) {
  const parts = worker.split('/').slice(1, -1)
  const visible = parts.filter((part) => !part.startsWith('('))
  return `/${visible.map((part) => (part.startsWith('[') ? crypto.randomUUID() : part)).join('/')}`
}

/** The ways to send the fields of a form to an action. The first four work; see `control`. */
export const encodings = {
  'text/plain': (id, fields) => ({
    body: JSON.stringify([fields]),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': id },
  }),
  multipart: (id, fields) => ({
    body: form(prefixed('_1_', fields), [['0', '["$K1"]']]),
    headers: { 'next-action': id },
  }),
  'form without JavaScript': (id, fields) => ({
    body: form([[`$ACTION_ID_${id}`, '']], Object.entries(fields)),
  }),
  'form with a bound state': (id, fields) => ({
    body: form(
      [
        ['$ACTION_REF_1', ''],
        ['$ACTION_1:0', JSON.stringify({ id, bound: '$@1' })],
        ['$ACTION_1:1', '[{}]'],
      ],
      Object.entries(fields),
    ),
  }),
  'multipart of older versions': (id, fields) => ({
    body: form(prefixed('1_', fields), [['0', '["$K1"]']]),
    headers: { 'next-action': id },
  }),
  'urlencoded form': (id, fields) => ({
    body: new URLSearchParams({ [`$ACTION_ID_${id}`]: '', ...fields }),
  }),
  'JSON with the id in the body': (id, fields) => ({
    body: JSON.stringify([{ ...fields, $ACTION_ID: id }]),
    headers: { 'content-type': 'application/json', 'next-action': id },
  }),
}

export const workingEncodings = Object.keys(encodings).slice(0, 4)

function form(...lists) {
  const data = new FormData()
  for (const [name, value] of lists.flat()) data.append(name, String(value))
  return data
}

function prefixed(prefix, fields) {
  return Object.entries(fields).map(([name, value]) => [prefix + name, value])
}

/** `path` is a page that has the action, or another one, from which Next forwards the call. */
export function sendAction(base, action, fields, options = {}) {
  const { encoding = 'text/plain', path = action.path, headers, ...rest } = options
  const encoded = encodings[encoding](action.id, fields)
  return send(base, path, {
    method: 'POST',
    ...rest,
    body: encoded.body,
    headers: { ...encoded.headers, ...headers },
  })
}

/** `done`, the error code that the action returned, or the status. */
export async function outcomeOf(response) {
  if (response.headers.get('x-action-redirect')) return 'done'
  const text = await response.text()
  if (/^\w+:\{"ok":true/m.test(text)) return 'done'
  return /^\w+:\{"ok":false,"code":"(\w+)"/m.exec(text)?.[1] ?? String(response.status)
}
