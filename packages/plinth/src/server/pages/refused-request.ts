import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { joinHeader, nodeScope } from '#auth/sessions/scope'
import { appFolder } from '#config/app-folder'
import { deny } from '#guard/authorize'
import { typedText } from '#http/app-markup'
import { formLimits } from '#http/body-limits'
import { isSameOrigin, safeMethods } from '#http/headers'
import { problemBody, problemHeaders } from '#http/problems'
import type { RequestContext } from '#http/request-context'
import { isSecretName } from '#universal/secret-names'

export function isCrossOrigin({ method = 'GET', headers }: IncomingMessage): boolean {
  if (safeMethods.has(method)) return false
  const evidence = {
    site: joinHeader(headers['sec-fetch-site']),
    origin: joinHeader(headers.origin),
  }
  return !isSameOrigin(evidence)
}

/**
 * An action is called by a POST to a page. Next rejects a foreign origin too, but with a 500 and
 * without an audit event. Returns whether it responded.
 */
export async function refuseCrossOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<boolean> {
  const scope = await nodeScope(request, requestId)
  if (scope.bearer) return false
  await deny(scope, 'page', 'cross_origin')
  response.writeHead(403, problemHeaders('cross_origin'))
  response.end(JSON.stringify(problemBody('cross_origin', requestId)))
  return true
}

/** Next's limit for the body of a server action. */
export const maxBodyBytes = 1024 * 1024

/** Next would respond with 500. Returns whether it responded. */
export function refuseLargeBody(
  { headers }: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): boolean {
  if (Number(headers['content-length'] ?? 0) <= maxBodyBytes) return false
  sendTooLarge(response, requestId)
  return true
}

const tooLarge = {
  too_large: 'The body can be at most 1 MiB.',
  too_many_fields: formLimits,
}

export function sendTooLarge(
  response: ServerResponse,
  requestId: string,
  reason: keyof typeof tooLarge = 'too_large',
): void {
  const extras = { detail: tooLarge[reason] }
  sendProblem(response, problemBody('body_too_large', requestId, extras))
}

export function sendUnreadable(response: ServerResponse, requestId: string): void {
  sendProblem(response, problemBody('bad_request', requestId))
}

/**
 * Next responds with 500 to a body or a router header that it cannot decode. It decodes both before
 * any page or action runs, so a failure before that is the caller's: it becomes 400.
 */
export function rejectUnreadable(
  { method = 'GET', headers }: IncomingMessage,
  status: number,
  { context, requestId }: { context: RequestContext; requestId: string },
): Interception | undefined {
  if (safeMethods.has(method) && headers.rsc === undefined) return undefined
  if (context.entered || (status !== 500 && !context.unreadable)) return undefined
  if (context.original) context.original.unreadable = true
  return { status: 400, replaceWith: (response) => sendUnreadable(response, requestId) }
}

function sendProblem(response: ServerResponse, problem: ReturnType<typeof problemBody>): void {
  const body = JSON.stringify(problem)
  response.writeHead(problem.status, {
    ...problemHeaders(problem.code),
    'content-length': Buffer.byteLength(body),
    'cache-control': 'private, no-store',
  })
  response.end(body)
}

export type Interception =
  /** Sent instead; what Next sends goes nowhere. */
  | { replaceWith: (response: ServerResponse) => void; status: number }
  /** Next's own response, with another status. */
  | { status: number; headers: Readonly<Record<string, string>> }

/** Decides about Next's response at its first byte, when its status is known. */
export function interceptResponse(
  response: ServerResponse,
  decide: (status: number) => Interception | undefined,
): void {
  const original = { writeHead: response.writeHead, write: response.write, end: response.end }
  let decided: Interception | undefined
  let isDecided = false

  function interception(status: number): Interception | undefined {
    if (isDecided) return decided
    isDecided = true
    decided = decide(status)
    if (decided && 'replaceWith' in decided) replace(decided)
    else if (decided) changeStatus(decided)
    return decided
  }

  function isReplaced(status: number): boolean {
    const current = interception(status)
    return current !== undefined && 'replaceWith' in current
  }

  function replace({ replaceWith, status }: Extract<Interception, { replaceWith: unknown }>): void {
    // Next compresses by replacing these functions in turn.
    Object.assign(response, original)
    for (const name of ['content-encoding', 'etag', 'vary']) response.removeHeader(name)
    replaceWith(response)
    const ignore = () => response
    Object.assign(response, { writeHead: ignore, write: () => true, end: ignore })
    // For the request log: Next sets its own status afterwards.
    Object.defineProperty(response, 'statusCode', { get: () => status, set: () => {} })
  }

  function changeStatus({ status, headers }: Extract<Interception, { headers: unknown }>): void {
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  }

  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (isReplaced(status)) return response
    return Reflect.apply(original.writeHead, response, [decided?.status ?? status, ...rest])
  }
  response.write = (...args: unknown[]) =>
    isReplaced(response.statusCode) || Reflect.apply(original.write, response, args)
  response.end = (...args: unknown[]) =>
    isReplaced(response.statusCode) ? response : Reflect.apply(original.end, response, args)
}

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

/** With the fields of a form, the page shows what was typed into it. */
type SendPage = (response: ServerResponse, fields?: SentFields) => void

/** The fields of a form but files, decoded when they are needed. */
export type SentFields = () => readonly (readonly [name: string, value: string])[]

/** Sends a prerendered page, kept in memory, at the requested URL. */
export function errorPage(
  { path, status, headers = {} }: { path: string; status: number; headers?: Headers },
  policyFor: (path: string) => string,
): SendPage {
  const page = readFileSync(join(appFolder(), '.next/server/app', `${path}.html`))
  const [before = '', after] = page.toString().split('<!--typed-->')
  return (response, fields) => {
    const isTyped = fields !== undefined && after !== undefined
    const content = isTyped ? Buffer.from(before + renderTyped(fields()) + after) : page
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
const maxShown = 50

/** The text that was typed into a form without JavaScript, to copy from the page that is shown instead. */
function renderTyped(fields: ReturnType<SentFields>): string {
  const typed = fields.filter(isTyped).slice(0, maxShown)
  if (typed.length === 0) return ''
  return typedText.get()(typed.map(([name, text]) => ({ name, text })))
}

const idName = /(^|_)ids?$|Ids?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ids are hidden fields, as are the fields of React. Checkboxes send on or off. */
function isTyped([name, value]: readonly [name: string, value: string]): boolean {
  return (
    value.trim() !== '' &&
    !/^(on|off)$/.test(value) &&
    !name.startsWith('$ACTION') &&
    !isSecretName(name) &&
    !(idName.test(name) && uuid.test(value))
  )
}
