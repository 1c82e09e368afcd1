import { IncomingMessage } from 'node:http'
import { fieldNames } from '#http/body-limits'
import { hasTooManyValues } from '#server/pages/action-arguments'
import { boundaryOf, findParts, type Part } from '#server/pages/multipart'
import { maxBodyBytes, type SentFields } from '#server/pages/refused-request'

type Received =
  | {
      request: IncomingMessage
      /** The fields of a form that was sent without JavaScript. */
      fields?: SentFields
      isUnknown?: boolean
    }
  | Refused

type Refused = 'too_large' | 'too_many_fields' | 'unreadable' | 'disconnected'

/**
 * Prepares a request that calls a server action for Next: one that a page of another build sent may
 * name a renamed or removed action. With JavaScript a header names it, and Next's client handles a
 * removed one. Without JavaScript it is in the fields of the form, as React encodes them.
 *
 * Next parses the body. Here it is only searched, and refused if it would take Next long.
 */
export async function receiveAction(
  request: IncomingMessage,
  actions: BuildActions,
): Promise<Received> {
  const { method, headers } = request
  const id = headers['next-action']
  if (typeof id === 'string') headers['next-action'] = actions.presentId(id)
  const type = formType(headers['content-type'])
  if (method !== 'POST' || (id === undefined && type === undefined)) return { request }
  const body = await readBody(request)
  if (!Buffer.isBuffer(body)) return body
  if (type === 'multipart') return receiveMultipart(request, body, actions)
  const received = type === 'urlencoded' ? receiveUrlEncoded(request, body, actions) : undefined
  if (received && (id === undefined || typeof received === 'string')) return received
  return hasTooManyValues([body]) ? 'too_many_fields' : { request: withBody(request, body) }
}

function formType(contentType = ''): 'multipart' | 'urlencoded' | undefined {
  if (/^multipart\/form-data\b/i.test(contentType)) return 'multipart'
  return /^application\/x-www-form-urlencoded\b/i.test(contentType) ? 'urlencoded' : undefined
}

async function readBody(request: IncomingMessage): Promise<Buffer | Refused> {
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

const idField = /^(\$ACTION_ID_)(\w{42})$/
const referenceField = /^\$ACTION_\w+:0$/
const reference = /^(\{"id":")(\w{42})(?=")/
/** Without one of these, Next runs no action for a form. */
const addressField = /^\$ACTION_(ID|REF)_/

function receiveMultipart(request: IncomingMessage, body: Buffer, actions: BuildActions): Received {
  const { headers } = request
  const boundary = boundaryOf(headers['content-type'] ?? '')
  const parts = boundary === undefined ? 'unreadable' : findParts(body, boundary)
  if (parts === 'too_large') return 'too_many_fields'
  if (parts === 'unreadable') return parts
  // Next's two parsers must not find another boundary in it.
  headers['content-type'] = `multipart/form-data; boundary="${boundary}"`
  const isCall = headers['next-action'] !== undefined
  if (!isCall && !parts.some(({ name }) => addressField.test(name))) return 'unreadable'
  const models = parts.filter((part) => (isCall ? isArgument(part) : isBound(part)))
  if (hasTooManyValues(models.map(({ start, end }) => body.subarray(start, end)))) {
    return 'too_many_fields'
  }
  if (isCall) return { request: withBody(request, body) }
  const ids = actionIds(parts, body)
  const isUnknown = ids.some(({ id }) => !actions.isKnown(actions.presentId(id)))
  // All ids have the same length.
  for (const { id, start } of ids) body.write(actions.presentId(id), start, 'latin1')
  const texts = parts.filter(({ isFile }) => !isFile)
  const fields = () =>
    texts.map(({ name, start, end }) => [name, body.toString('utf8', start, end)] as const)
  return { request: withBody(request, body), fields, isUnknown }
}

/** In a call with JavaScript, the others are files, and the fields of forms among its arguments. */
function isArgument({ name, isFile }: Part): boolean {
  return !isFile && !name.startsWith('_')
}

/** In a form without JavaScript, the others are its fields. */
function isBound({ name }: Part): boolean {
  return name.startsWith('$ACTION_')
}

function actionIds(parts: readonly Part[], body: Buffer): { id: string; start: number }[] {
  return parts.flatMap(({ name, nameStart, start, end }) => {
    const [, beforeNamed = '', named] = idField.exec(name) ?? []
    if (named) return { id: named, start: nameStart + beforeNamed.length }
    if (!referenceField.test(name)) return []
    const [, before = '', referred] = reference.exec(body.toString('latin1', start, end)) ?? []
    return referred ? { id: referred, start: start + before.length } : []
  })
}

/** Next runs no action for this type. */
function receiveUrlEncoded(
  request: IncomingMessage,
  body: Buffer,
  actions: BuildActions,
): Received {
  const text = body.toString()
  const names = fieldNames(text)
  if (!names) return 'too_many_fields'
  const ids = names.flatMap((name) => idField.exec(name)?.[2] ?? [])
  const isUnknown = ids.some((id) => !actions.isKnown(actions.presentId(id)))
  const fields = () => [...new URLSearchParams(text)]
  return { request: withBody(request, body), isUnknown, ...(ids.length > 0 ? { fields } : {}) }
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

/** The ids of the server actions of the build. */
export function buildActions(actions: {
  known: string[]
  /** The present ids, by the former id without its first byte, which tells about the arguments. */
  former: Record<string, string>
}): BuildActions {
  const known = new Set(actions.known)
  const former = new Map(Object.entries(actions.former))
  return {
    presentId: (id) => former.get(id.slice(2)) ?? id,
    isKnown: (id) => known.has(id),
  }
}
