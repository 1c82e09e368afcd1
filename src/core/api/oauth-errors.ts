import { z } from 'zod'
import { configuredProviders, type Provider } from '@/core/auth/oauth/configured-providers'
import type { OAuthFailure } from '@/core/auth/oauth/failure'
import { env } from '@/core/config/env'
import { Problem } from '@/core/http/problems'
import type { ApiContext } from '@/core/http/scope'
import { log } from '@/core/log/log'

/** A path parameter. A provider that is not configured does not exist. */
export const configuredProvider = z.string().transform((id, context): Provider => {
  const found = configuredProviders(env()).find((provider) => provider.id === id)
  if (found) return found
  context.addIssue({ code: 'custom', message: 'is not configured' })
  return z.NEVER
})

/** Users cancel all the time. A wrong client secret or an unavailable provider needs attention. */
const levels = {
  oauth_denied: 'debug',
  oauth_failed: 'info',
  provider_unavailable: 'warn',
} as const

export function oauthProblem(
  c: ApiContext,
  { id }: Provider,
  { failure, error: { message } }: OAuthFailure,
): Problem {
  const requestId = c.get('requestId')
  log()[levels[failure]]({ requestId, provider: id, reason: message }, 'OAuth sign-in failed')
  return new Problem(failure)
}
