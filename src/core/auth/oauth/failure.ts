import 'server-only'
import { isProviderUnavailable } from '@/core/auth/oauth/provider-fetch'

/** The error is for the log only. */
export type OAuthFailure = {
  failure: 'oauth_denied' | 'oauth_failed' | 'provider_unavailable'
  error: Error
}

export function failureOf(thrown: unknown, query?: URLSearchParams): OAuthFailure {
  const error = thrown instanceof Error ? thrown : new Error('Auth.js gave no reason.')
  const cause = rootCause(error)
  if (isProviderUnavailable(cause)) return { failure: 'provider_unavailable', error: cause }
  // Sent by the provider itself, in a callback with a valid state.
  const refused = 'type' in error && error.type === 'OAuthCallbackError'
  const denied = refused && query?.get('error') === 'access_denied'
  return { failure: denied ? 'oauth_denied' : 'oauth_failed', error: cause }
}

/** Auth.js wraps errors in its own. */
function rootCause(error: Error): Error {
  const { cause } = error
  const wrapped = typeof cause === 'object' && cause !== null && 'err' in cause && cause.err
  return wrapped instanceof Error ? rootCause(wrapped) : error
}
