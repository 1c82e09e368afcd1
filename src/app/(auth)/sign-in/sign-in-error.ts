import { problemDetail } from '@/core/http/problems'
import { retryIn } from '@/core/rate-limits/rate-limit'

type ErrorQuery = {
  error: string | undefined
  code: string | undefined
  /** In milliseconds since 1970. */
  retryAt?: string | undefined
}

export function signInError({ error, code, retryAt }: ErrorQuery): string | undefined {
  const problem = problemCode(error, code)
  const wait = problem === 'rate_limited' ? secondsUntil(retryAt) : undefined
  return wait === undefined ? problemDetail(problem) : `Too many attempts. ${retryIn(wait)}`
}

/** The Auth.js client uses its own error codes. */
function problemCode(error: string | undefined, code: string | undefined): string | undefined {
  if (error === 'MissingCSRF') return 'csrf_mismatch'
  if (error !== 'CredentialsSignin') return error
  return code === 'credentials' ? 'invalid_credentials' : code
}

/** No limit lasts longer than an hour. Anyone can write a link to this page. */
const maxSeconds = 60 * 60

function secondsUntil(time: string | undefined): number | undefined {
  if (!time || !/^\d{1,15}$/.test(time)) return undefined
  const seconds = Math.ceil((Number(time) - Date.now()) / 1000)
  return seconds <= maxSeconds ? seconds : undefined
}
