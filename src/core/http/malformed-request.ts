import { env } from '@/core/env'
import { interfaceHeaders } from '@/core/http/headers'
import { problemBody, problemHeaders } from '@/core/http/problem'
import { requestIdFrom } from '@/core/http/request-id'
import { logRequest, requestKind } from '@/core/http/request-log'

/** For a request that no Request can be made of, such as one with a host that is none. */
export function malformedRequest(): Response {
  const requestId = requestIdFrom(undefined)
  logRequest(requestKind('GET', '?', 400), {
    requestId,
    start: performance.now(),
    userId: undefined,
  })
  return new Response(JSON.stringify(problemBody('bad_request', requestId)), {
    status: 400,
    headers: {
      ...interfaceHeaders(env().AUTH_URL),
      ...problemHeaders('bad_request'),
      'x-request-id': requestId,
    },
  })
}
