import type { IncomingMessage, ServerResponse } from 'node:http'
import { safeMethods } from '@/core/http/origin'
import { problemBody, problemHeaders } from '@/core/http/problems'
import type { RequestContext } from '@/core/http/request-context'
import type { Interception } from '@/server/pages/intercept-response'

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

export function sendTooLarge(response: ServerResponse, requestId: string): void {
  const detail = 'The body can be at most 1 MiB.'
  sendProblem(response, problemBody('body_too_large', requestId, { detail }))
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
  const problem = problemBody('bad_request', requestId)
  return { status: 400, replaceWith: (response) => sendProblem(response, problem) }
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
