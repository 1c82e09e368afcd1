import { readFileSync } from 'node:fs'
import { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { maxBodyBytes } from '@/server/pages/refused-request'

type Received =
  | { request: IncomingMessage; form?: FormData | undefined; isUnknown?: boolean }
  | 'too_large'
  | 'disconnected'

/**
 * Prepares a request that calls a server action for Next: one that a page of another build sent may
 * name a renamed or removed action. With JavaScript a header names it, and Next's client handles a
 * removed one. Without JavaScript it is in the fields of the form, as React encodes them.
 */
export async function receiveAction(
  request: IncomingMessage,
  actions: BuildActions,
): Promise<Received> {
  const { method, headers } = request
  const id = headers['next-action']
  if (typeof id === 'string') headers['next-action'] = actions.presentId(id)
  if (method !== 'POST' || id !== undefined || !isForm(headers['content-type'])) return { request }
  const body = await readBody(request)
  if (!Buffer.isBuffer(body)) return body
  const form = await parseForm(body, headers['content-type'])
  const ids = form ? actionIds(form) : []
  const isUnknown = ids.some((id) => !actions.isKnown(actions.presentId(id)))
  if (form && !isUnknown && ids.some((id) => actions.presentId(id) !== id)) {
    return { request: await withForm(request, withPresentIds(form, actions)), form }
  }
  return { request: withBody(request, body), form, isUnknown }
}

function isForm(contentType = ''): boolean {
  return /^\s*(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(contentType)
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too_large' | 'disconnected'> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // The response needs the connection, which the end of the loop would otherwise destroy.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > maxBodyBytes) return 'too_large'
      chunks.push(chunk)
    }
  } catch {
    return 'disconnected'
  }
  return Buffer.concat(chunks)
}

/** Undefined if it cannot be decoded, which Next then finds too. */
async function parseForm(body: Buffer, contentType = ''): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData()
  } catch {
    return undefined
  }
}

const idField = /^(\$ACTION_ID_)(\w{42})$/
const referenceField = /^\$ACTION_\w+:0$/
const reference = /^(\{"id":")(\w{42})(?=")/

function actionIds(form: FormData): string[] {
  return [...form].flatMap(([name, value]) => {
    const named = idField.exec(name)
    const referred = referenceField.test(name) && reference.exec(String(value))
    return (named || referred || [])[2] ?? []
  })
}

function withPresentIds(form: FormData, { presentId }: BuildActions): FormData {
  const changed = new FormData()
  const toPresent = (_: string, before: string, id: string) => before + presentId(id)
  for (const [name, value] of form) {
    if (typeof value !== 'string') changed.append(name, value, value.name)
    else if (referenceField.test(name)) changed.append(name, value.replace(reference, toPresent))
    else changed.append(name.replace(idField, toPresent), value)
  }
  return changed
}

async function withForm(request: IncomingMessage, form: FormData): Promise<IncomingMessage> {
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  request.headers['content-type'] = encoded.headers.get('content-type') ?? ''
  request.headers['content-length'] = String(body.length)
  return withBody(request, body)
}

/** The body of a request can be read once, so Next gets a copy of the request. */
function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion } = request
  const copy = new IncomingMessage(request.socket)
  Object.assign(copy, { method, url, headers, rawHeaders, httpVersion, complete: true })
  copy.push(body)
  copy.push(null)
  return copy
}

type BuildActions = {
  /** The id that an action has now, if this is the id of a former name. */
  presentId(id: string): string
  isKnown(id: string): boolean
}

/** From the build: the ids of its server actions. */
export function readBuildActions(file = join(process.cwd(), 'dist/actions.json')): BuildActions {
  const actions = JSON.parse(readFileSync(file, 'utf8')) as {
    known: string[]
    /** By the former id without its first byte, which tells about the arguments. */
    former: Record<string, string>
  }
  const known = new Set(actions.known)
  const former = new Map(Object.entries(actions.former))
  return {
    presentId: (id) => former.get(id.slice(2)) ?? id,
    isKnown: (id) => known.has(id),
  }
}
