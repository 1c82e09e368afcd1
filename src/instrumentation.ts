import type { Instrumentation } from 'next'

/** Registers the app: for our own server and commands, which load the built file, and where Next is the host. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  await import('@/register')
  const { startUnderNext } = await import('plinth/server/start')
  await startUnderNext()
}

/** Logs the errors of pages and actions with their request id. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { log } = await import('plinth/log/log')
  const { logFailure } = await import('plinth/http/request-log')
  const { requestContext } = await import('plinth/http/request-context')
  const requestId = request.headers['x-request-id']
  const fields = { requestId: requestId?.toString(), route: context.routePath }
  // The server turns these into 400: the caller sent what Next cannot decode.
  const decoding = request.method !== 'GET' || request.headers.rsc !== undefined
  const found = requestContext()
  if (decoding && found && !found.entered) {
    log().warn({ ...fields, err: error }, 'unreadable request')
  } else logFailure(error, 'page failed', fields)
}
