import { performance } from 'node:perf_hooks'
import { openRequests } from '@/core/log/current-request'
import { log } from '@/core/log/log'

const limitMs = 5_000
const intervalMs = 1_000

/** A request that hangs has no line of its own in the request log until it ends. */
export function watchOpenRequests(): void {
  setInterval(() => logOpenRequests(), intervalMs).unref()
}

/** Names each request that has been open for long, once. */
export function logOpenRequests(now = performance.now()): void {
  for (const request of openRequests()) {
    const milliseconds = Math.round(now - request.start)
    if (milliseconds < limitMs) return
    if (request.reported) continue
    request.reported = true
    const { requestId, method, path } = request
    log().warn({ requestId, method, path, milliseconds }, 'request still open')
  }
}
