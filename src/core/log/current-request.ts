import { AsyncLocalStorage } from 'node:async_hooks'
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

/** Shared, because a request goes through both bundles. */
const storage = singleton('current-request', () => new AsyncLocalStorage<CurrentRequest>())

export function runInRequest<Result>(request: CurrentRequest, work: () => Result): Result {
  return storage.run(request, work)
}

/** For work that a request starts and does not wait for. */
export function runOutsideRequest<Result>(work: () => Result): Result {
  return storage.exit(work)
}

/** Undefined at startup and in the background. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore()
}
