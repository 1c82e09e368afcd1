import { env } from '@/core/config/env'
import { apiHeaders, requestIdFrom } from '@/core/http/headers'
import { problemBody, problemHeaders } from '@/core/http/problems'
import { logRequest, requestKind } from '@/core/http/request-log'

/** For a request that cannot become a Request, such as one with an invalid Host. */
export function malformedRequest(): Response {
  const { body, headers } = malformedRequestProblem()
  return new Response(body, { status: 400, headers })
}

/** The same, for hosts that have no Response yet. Writes the line of the request log. */
export function malformedRequestProblem(): { body: string; headers: Record<string, string> } {
  const requestId = requestIdFrom(undefined)
  const kind = requestKind('GET', '?', 400)
  logRequest(kind, { requestId, start: performance.now(), userId: undefined })
  return {
    body: JSON.stringify(problemBody('bad_request', requestId)),
    headers: {
      ...apiHeaders(env().AUTH_URL),
      ...problemHeaders('bad_request'),
      'x-request-id': requestId,
    },
  }
}
