export type Visit =
  | {
      status: number
      body: unknown
      location: string | undefined
      hsts: string | undefined
      cookies: string[]
    }
  | { unreachable: string; untrusted: boolean }

const patience = 5_000

/** Asks once, follows nowhere, and waits for five seconds. */
export async function visit(url: string, headers: Record<string, string> = {}): Promise<Visit> {
  try {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    return {
      status: response.status,
      body: jsonOf(await response.text()),
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the system calls it: the message of `fetch` says nothing but that it failed. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason'
  if (error.name === 'TimeoutError') return 'no answer in time'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause ? codeOf(error.cause) : error.message
}
