import 'server-only'
import { isProviderUnreachable } from '@/core/auth/provider-fetch'

/** Why a provider vouched for nobody. The error is for the log alone. */
export type OAuthFailure = {
  failure: 'oauth_denied' | 'oauth_failed' | 'provider_unavailable'
  error: Error
}

export function failureOf(thrown: unknown, query?: URLSearchParams): OAuthFailure {
  const error = thrown instanceof Error ? thrown : new Error('The library gave no reason.')
  const reason = reasonOf(error)
  if (isProviderUnreachable(reason)) {
    return { failure: 'provider_unavailable', error: reason }
  }
  // Said by the provider itself, in an answer whose state was right.
  const refused = 'type' in error && error.type === 'OAuthCallbackError'
  const denied = refused && query?.get('error') === 'access_denied'
  return { failure: denied ? 'oauth_denied' : 'oauth_failed', error: reason }
}

/** Auth.js wraps what went wrong in an error of its own. */
function reasonOf(error: Error): Error {
  const { cause } = error
  const wrapped = typeof cause === 'object' && cause !== null && 'err' in cause && cause.err
  return wrapped instanceof Error ? reasonOf(wrapped) : error
}
