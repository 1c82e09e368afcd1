import { z } from 'zod'
import type { OAuthFailure } from '@/core/auth/oauth-failure'
import type { Provider } from '@/core/auth/providers/provider'
import { env } from '@/core/env'
import type { ApiContext } from '@/core/http/context'
import { Problem } from '@/core/http/problem'
import { log } from '@/core/log'

/** One whose keys are set; in a path, any other is nothing. */
export const configuredProvider = z.string().transform((id, context): Provider => {
  const found = env().providers.find((provider) => provider.id === id)
  if (found) return found
  context.addIssue({ code: 'custom', message: 'is not set' })
  return z.NEVER
})

/** People change their minds; what may be a wrong key or a service that is down, somebody must see. */
const levels = {
  oauth_denied: 'debug',
  oauth_failed: 'info',
  provider_unavailable: 'warn',
} as const

export function tellFailure(
  c: ApiContext,
  { id }: Provider,
  { failure, error: { message } }: OAuthFailure,
): Problem {
  const requestId = c.get('requestId')
  log()[levels[failure]]({ requestId, provider: id, reason: message }, 'sign-in not completed')
  return new Problem(failure)
}
