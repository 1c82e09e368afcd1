import type { IncomingMessage, ServerResponse } from 'node:http'
import { joinHeader, nodeScope } from '@/core/auth/sessions/scope'
import { deny } from '@/core/guard/authorize'
import { isSameOrigin, safeMethods } from '@/core/http/origin'
import { problemBody, problemHeaders } from '@/core/http/problems'

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
