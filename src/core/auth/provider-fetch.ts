import 'server-only'
import { isLoopback } from '@/core/loopback'

/** The other side, not the request, is at fault. */
export class ProviderUnreachable extends Error {
  override name = 'ProviderUnreachable'
}

export function isProviderUnreachable(error: unknown): error is ProviderUnreachable {
  return error instanceof Error && error.name === 'ProviderUnreachable'
}

const patience = 10_000

/**
 * To a provider, with our secret or somebody's token: over https unless it is this machine,
 * whatever address the provider's own description named. And not for ever.
 */
export async function providerFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const { protocol, hostname, origin } = new URL(input instanceof Request ? input.url : input)
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw new Error(`${origin} is not https, so nothing is sent there.`)
  }
  try {
    return await fetch(input, { ...init, signal: AbortSignal.timeout(patience) })
  } catch (error) {
    throw new ProviderUnreachable(`${origin} does not answer.`, { cause: error })
  }
}
