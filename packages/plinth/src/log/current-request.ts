import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { type RequestSpan, type RequestStart, tracing } from '#log/trace'

/** The request that the current code works for. */
export type CurrentRequest = {
  requestId: string
  method: string
  /** Without the query, which may hold a token. */
  path: string
  /** The span of the caller, for its trace. */
  header?: RequestStart['header']
  /** While traces are exported. */
  span?: RequestSpan | undefined
  /** A statement failed because the database is unavailable. */
  databaseUnavailable?: boolean
  /** A server action responds with it, so that proxies and clients see the failure. */
  actionStatus?: number
}

type OpenRequest = CurrentRequest & { start: number; reported: boolean }

const storage = new AsyncLocalStorage<CurrentRequest>()

const open = new Set<OpenRequest>()

export async function runInRequest<Result>(
  request: CurrentRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = tracing()?.startRequest(request)
  if (span) request.span = span
  const close = openRequest(request)
  try {
    return await storage.run(request, span ? () => span.run(work) : work)
  } finally {
    close()
  }
}

/** The one place where a request begins to be open. Returns how to close it. */
export function openRequest({ requestId, method, path, span }: CurrentRequest): () => void {
  const opened = { requestId, method, path, span, start: performance.now(), reported: false }
  open.add(opened)
  return () => open.delete(opened)
}

/** For what a request or a job starts and does not wait for. */
export function runOutsideRequest<Result>(run: () => Result): Result {
  const current = tracing()
  return storage.exit(() => work.exit(current ? () => current.runOutside(run) : run))
}

/** The work that the process does without a request, as the fields of its lines. */
export type BackgroundWork =
  | { job: { id: number; name: string; attempt: number } }
  | { mailId: number; purpose: string }

const work = new AsyncLocalStorage<BackgroundWork>()

/** Also lines of promises that the work does not wait for name it. */
export function runAsWork<Result>(fields: BackgroundWork, run: () => Result): Result {
  return work.run(fields, run)
}

/** Undefined at startup and in the background. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore()
}

/** Oldest first. Those that the fast path answers without waiting are not among them. */
export function openRequests(): ReadonlySet<OpenRequest> {
  return open
}

export function currentWork(): BackgroundWork | undefined {
  return work.getStore()
}
