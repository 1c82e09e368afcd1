import type { Instrumentation } from 'next'

/** Where Next is the host it calls this before the first request; Plinth's own host was earlier. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startUnderNext } = await import('@/core/host/start-under-next')
  const { modules } = await import('@/modules')
  await startUnderNext(modules)
}

/** Faults of pages and actions, in the log under the id of their request. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { log } = await import('@/core/log')
  const requestId = request.headers['x-request-id']
  log().error({ requestId, err: error, route: context.routePath }, 'page failed')
}
