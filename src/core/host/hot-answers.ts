import type { IncomingMessage, ServerResponse } from 'node:http'
import { interfaceHeaders } from '@/core/http/headers'
import { isHealthy } from '@/core/http/health'
import { requestIdFrom } from '@/core/http/request-id'
import { logRequest } from '@/core/http/request-log'

type HotAnswers = (request: IncomingMessage, response: ServerResponse) => boolean

const healthy = '{"status":"ok"}'

/**
 * Answers that are asked for all day long and are ready as text, given without building a Request
 * and a Response first. It answers only the plain case and says whether it did; every other case
 * of the same routes goes through the interface, which gives the same answer.
 */
export function hotAnswers(authUrl: string): HotAnswers {
  const headers = Object.entries({
    ...interfaceHeaders(authUrl),
    'content-type': 'application/json',
    'content-length': String(healthy.length),
  }).flat()

  return (request, response) => {
    if (request.url !== '/api/health' || request.method !== 'GET') return false
    const start = performance.now()
    if (request.headers.origin !== undefined || isHealthy() !== true) return false
    const requestId = requestIdFrom(request.headers['x-request-id'])
    response.writeHead(200, [...headers, 'x-request-id', requestId])
    response.end(healthy)
    logRequest({
      requestId,
      method: 'GET',
      route: '/api/health',
      status: 200,
      milliseconds: performance.now() - start,
      userId: undefined,
    })
    return true
  }
}
