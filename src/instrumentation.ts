import type { Instrumentation } from 'next'

/** Next calls this before the first request where it is the host; our own server starts earlier. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startUnderNext } = await import('@/server/start-under-next')
  const { modules } = await import('@/modules')
  await startUnderNext(modules)
}

/** Logs the errors of pages and actions with their request id. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { log } = await import('@/core/log/log')
  const requestId = request.headers['x-request-id']
  log().error({ requestId, err: error, route: context.routePath }, 'page failed')
}
