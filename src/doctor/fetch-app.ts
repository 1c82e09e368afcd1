export type AppResponse =
  | {
      status: number
      body: unknown
      location: string | undefined
      hsts: string | undefined
      cookies: string[]
    }
  | { unreachable: string; untrusted: boolean }

const timeoutMs = 5_000

/** One request, without redirects. */
export async function fetchApp(
  url: string,
  headers: Record<string, string> = {},
): Promise<AppResponse> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    return {
      status: response.status,
      body: parseJson(await response.text()),
      location: response.headers.get('location') ?? undefined,
      hsts: response.headers.get('strict-transport-security') ?? undefined,
      cookies: response.headers.getSetCookie(),
    }
  } catch (error) {
    const code = codeOf(error)
    return { unreachable: code, untrusted: /CERT|TLS|SSL|SIGNATURE/.test(code) }
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error code of the system: the message of `fetch` has no details. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'timeout'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause ? codeOf(error.cause) : error.message
}
