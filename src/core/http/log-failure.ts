import { isDatabaseUnavailable } from '@/core/db/errors'
import { isHealthy } from '@/core/db/health'
import { currentRequest } from '@/core/log/current-request'
import { log } from '@/core/log/log'
import { recordOutage } from '@/core/log/outage'

type Options = {
  /** By default that of the current request. */
  requestId?: string | undefined
  /** By default `error`. */
  level?: 'warn' | 'error'
  route?: string
}

/** An unexpected error, with its request. An outage of the database is summed up instead. */
export function logFailure(
  error: unknown,
  message: string,
  { requestId = currentRequest()?.requestId, level = 'error', ...fields }: Options = {},
): void {
  const line = { ...(requestId ? { requestId } : {}), ...fields, err: error }
  if (!isDatabaseUnavailable(error)) {
    log()[level](line, message)
    return
  }
  log().debug(line, message)
  recordOutage(error, { requestId, isAvailable: isHealthy })
}
