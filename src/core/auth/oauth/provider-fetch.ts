import 'server-only'
import { isLoopback } from '@/core/config/loopback'

export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

export function isProviderUnavailable(error: unknown): error is ProviderUnavailable {
  return error instanceof Error && error.name === 'ProviderUnavailable'
}

const timeoutMs = 10_000

/**
 * Requests to a provider carry our secret or an access token. They go over https unless the provider
 * is this machine, whatever URL its discovery document names.
 */
export async function providerFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const { protocol, hostname, origin } = new URL(input instanceof Request ? input.url : input)
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw new Error(`${origin} is not https, so nothing is sent to it.`)
  }
  try {
    return await fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw new ProviderUnavailable(`${origin} does not respond.`, { cause: error })
  }
}
