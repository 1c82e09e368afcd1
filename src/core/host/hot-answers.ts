import type { IncomingMessage, ServerResponse } from 'node:http'
import { interfaceHeaders } from '@/core/http/headers'
import { isHealthy } from '@/core/http/health'
import { requestIdFrom } from '@/core/http/request-id'
import { logRequest, requestKind } from '@/core/http/request-log'

type HotAnswers = (request: IncomingMessage, response: ServerResponse) => boolean

/** What these say, the interface has to look at. */
const notPlain = new Set(['origin', 'content-length', 'transfer-encoding'])

const lengths = new Set([...notPlain, 'x-request-id'].map((name) => name.length))

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
    'x-request-id': '',
  }).flat()

  const kind = requestKind('GET', '/api/health', 200)

  return (request, response) => {
    if (request.url !== '/api/health' || request.method !== 'GET') return false
    const start = performance.now()
    if (isHealthy(start) !== true) return false
    // Read as received: asking for `headers` would first put all of them into an object.
    const { rawHeaders } = request
    if (rawHeaders.length > 200) return false
    let given: string | undefined
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? ''
      if (!lengths.has(name.length)) continue
      const lower = name.toLowerCase()
      if (notPlain.has(lower)) return false
      if (lower !== 'x-request-id') continue
      if (given !== undefined) return false
      given = rawHeaders[index + 1]
    }
    const requestId = requestIdFrom(given)
    // Written out before this returns, so one list serves all.
    headers[headers.length - 1] = requestId
    response.writeHead(200, headers)
    response.end(healthy)
    logRequest(kind, { requestId, start, userId: undefined })
    return true
  }
}
