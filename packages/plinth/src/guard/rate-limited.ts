import { type RateLimitResult, retryIn } from '#rate-limits/rate-limit'
import { type ActionError, refuse } from '#universal/action-result'

type Wait = Pick<RateLimitResult, 'seconds'>

/** The same text whether or not the email has an account. */
export function mailRateLimited(result: Wait): ActionError {
  return rateLimited('Too many emails requested.', result)
}

export function passwordRateLimited(result: Wait): ActionError {
  return rateLimited('Too many attempts.', result)
}

export function actionRateLimited(result: Wait): ActionError {
  return rateLimited('Too many attempts.', result)
}

function rateLimited(reason: string, { seconds }: Wait): ActionError {
  return { ...refuse('rate_limited', `${reason} ${retryIn(seconds)}`), retryAfter: seconds }
}
