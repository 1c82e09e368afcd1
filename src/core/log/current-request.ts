import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { singleton } from '@/core/config/singleton'

/** The request that the current code works for. */
export type CurrentRequest = {
  requestId: string
  method: string
  /** Without the query, which may hold a token. */
  path: string
  /** A statement failed because the database is unavailable. */
  databaseUnavailable?: boolean
  /** A server action responds with it, so that proxies and clients see the failure. */
  actionStatus?: number
}

type OpenRequest = CurrentRequest & { start: number; reported: boolean }

/** Shared, because a request goes through both bundles. */
const storage = singleton('current-request', () => new AsyncLocalStorage<CurrentRequest>())

const open = singleton('open-requests', () => new Set<OpenRequest>())

export async function runInRequest<Result>(
  request: CurrentRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const opened = { ...request, start: performance.now(), reported: false }
  open.add(opened)
  try {
    return await storage.run(request, work)
  } finally {
    open.delete(opened)
  }
}

/** For work that a request starts and does not wait for. */
export function runOutsideRequest<Result>(work: () => Result): Result {
  return storage.exit(work)
}

/** Undefined at startup and in the background. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore()
}

/** Oldest first. Those of the fast path are not among them. */
export function openRequests(): Iterable<OpenRequest> {
  return open
}
