import { env } from '@/core/config/env'
import { apiHeaders } from '@/core/http/headers'
import { problemBody, problemHeaders } from '@/core/http/problem'
import { requestIdFrom } from '@/core/http/request-id'
import { logRequest, requestKind } from '@/core/http/request-log'

/** For a request that cannot become a Request, such as one with an invalid Host. */
export function malformedRequest(): Response {
  const requestId = requestIdFrom(undefined)
  const kind = requestKind('GET', '?', 400)
  logRequest(kind, { requestId, start: performance.now(), userId: undefined })
  return new Response(JSON.stringify(problemBody('bad_request', requestId)), {
    status: 400,
    headers: {
      ...apiHeaders(env().AUTH_URL),
      ...problemHeaders('bad_request'),
      'x-request-id': requestId,
    },
  })
}
