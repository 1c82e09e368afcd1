import type { IncomingMessage, ServerResponse } from 'node:http'
import { safeMethods } from '@/core/http/origin'
import { problemBody, problemHeaders } from '@/core/http/problems/problem'
import type { RequestContext } from '@/core/http/request-context'

/** Next's limit for the body of a server action. */
const maxBytes = 1024 * 1024

/** Next would respond with 500. Returns whether it responded. */
export function refuseLargeBody(
  { headers }: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): boolean {
  if (Number(headers['content-length'] ?? 0) <= maxBytes) return false
  const detail = 'The body can be at most 1 MiB.'
  sendProblem(response, problemBody('body_too_large', requestId, { detail }))
  return true
}

/**
 * Next responds with 500 to a body or a router header that it cannot decode. It decodes both before
 * any page or action runs, so a failure before that is the caller's: it becomes 400.
 */
export function rejectUnreadable(
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  { context, requestId }: { context: RequestContext; requestId: string },
): void {
  if (safeMethods.has(method) && headers.rsc === undefined) return
  const original = { writeHead: response.writeHead, write: response.write, end: response.end }
  let rejected: boolean | undefined

  /** Decides at the first byte. Returns whether the response is ours and Next's calls go nowhere. */
  function reject(status: number): boolean {
    if (rejected !== undefined) return rejected
    rejected = !context.entered && (status === 500 || context.unreadable === true)
    if (!rejected) return false
    if (context.original) context.original.unreadable = true
    // Next compresses by replacing these functions in turn.
    Object.assign(response, original)
    for (const name of ['content-encoding', 'etag', 'vary']) response.removeHeader(name)
    sendProblem(response, problemBody('bad_request', requestId))
    const ignore = () => response
    Object.assign(response, { writeHead: ignore, write: () => true, end: ignore })
    // For the request log: Next sets its own status afterwards.
    Object.defineProperty(response, 'statusCode', { get: () => 400, set: () => {} })
    return true
  }

  response.writeHead = (status: number, ...rest: unknown[]) =>
    reject(status) ? response : Reflect.apply(original.writeHead, response, [status, ...rest])
  response.write = (...args: unknown[]) =>
    reject(response.statusCode) || Reflect.apply(original.write, response, args)
  response.end = (...args: unknown[]) =>
    reject(response.statusCode) ? response : Reflect.apply(original.end, response, args)
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
