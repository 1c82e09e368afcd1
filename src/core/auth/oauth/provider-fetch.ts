import 'server-only'
import { isLoopback } from '@/core/config/setting-types'

export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

export function isProviderUnavailable(error: unknown): error is ProviderUnavailable {
  return error instanceof Error && error.name === 'ProviderUnavailable'
}

export type ProviderFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const timeoutMs = 10_000
const maxBytes = 64 * 1024

/** One conversation with a provider. All its requests together have ten seconds. */
export function providerConversation(): ProviderFetch {
  const signal = AbortSignal.timeout(timeoutMs)
  return (input, init) => providerFetch(input, { ...init, signal })
}

/**
 * Requests to a provider carry our secret or an access token. They go over https unless the provider
 * is this machine, whatever URL its discovery document names, and follow no redirect. The response
 * is read here, because a provider must not fill our memory or keep a request open.
 */
export async function providerFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const { protocol, hostname, origin } = new URL(input instanceof Request ? input.url : input)
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw new Error(`${origin} is not https, so nothing is sent to it.`)
  }
  const signal = init.signal ?? AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(input, { ...init, signal, redirect: 'manual' })
    const { status, headers } = response
    const body = await readUpTo(maxBytes, response)
    return new Response(body, { status, headers: decodedHeaders(headers) })
  } catch (error) {
    throw new ProviderUnavailable(`${origin} does not respond as it should.`, { cause: error })
  }
}

/** Null for an empty body: some statuses allow no other. */
async function readUpTo(max: number, { body }: Response): Promise<Blob | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > max) throw new Error(`The response is longer than ${max} bytes.`)
    chunks.push(chunk)
  }
  return size > 0 ? new Blob(chunks) : null
}

/** The body is already decompressed. */
function decodedHeaders(headers: Headers): Headers {
  const decoded = new Headers(headers)
  decoded.delete('content-encoding')
  decoded.delete('content-length')
  return decoded
}
