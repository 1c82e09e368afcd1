import type { IncomingMessage, ServerResponse } from 'node:http'
import { deny } from '@/core/guard/admit'
import { one, visitorOf } from '@/core/host/visitor'
import { isSameOrigin } from '@/core/http/origin-evidence'
import { problemBody, problemHeaders } from '@/core/http/problem'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether the browser says that another site made it send this. */
export function isFromElsewhere({ method = 'GET', headers }: IncomingMessage): boolean {
  if (safeMethods.has(method)) return false
  return !isSameOrigin({ site: one(headers['sec-fetch-site']), origin: one(headers.origin) })
}

/**
 * An action is called by posting to a page. Next would refuse a foreign origin too, with an answer
 * that blames us and without a trace in the trail. Says whether the request was answered.
 */
export async function refuseFromElsewhere(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<boolean> {
  const scope = await visitorOf(request, requestId)
  if (scope.bearer) return false
  await deny(scope, 'page', 'cross_origin')
  response.writeHead(403, problemHeaders('cross_origin'))
  response.end(JSON.stringify(problemBody('cross_origin', requestId)))
  return true
}
