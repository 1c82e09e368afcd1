/** Longer than any wait that is allowed; then the response counts as missing. */
const timeoutMs = 10_000

/**
 * Sends a request and records the response. `judge` returns what is wrong with it.
 *
 * @param {{ addSample(sample: object): void }} journal
 */
export async function send(journal, client, url, { judge, ...init }) {
  const at = performance.now()
  const answer = await receive(url, init)
  const waitMs = performance.now() - at
  const unavailable = isUnavailable(answer)
  const reason = unavailable ? undefined : judge(answer)
  journal.addSample({
    client,
    at,
    waitMs,
    status: answer.status,
    outcome: unavailable ? 'unavailable' : reason === undefined ? 'ok' : 'wrong',
    detail: reason && `${init.method ?? 'GET'} ${url}: ${reason}`,
  })
  return { ...answer, ok: !unavailable && reason === undefined, unavailable }
}

/** The complete response; status 0 if there is none. */
export async function receive(url, init = {}) {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...init,
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
  } catch (error) {
    const text = `no response: ${error.cause?.code ?? error.cause?.message ?? error.message}`
    return { status: 0, headers: new Headers(), bytes: Buffer.alloc(0), text }
  }
}

/** Also a page whose streamed part failed after its status was sent. */
function isUnavailable({ status, headers, text }) {
  if (status === 503) return headers.has('retry-after')
  return status === 200 && /^\w+:E\{"digest"|data-dgst/m.test(text)
}

export function unexpected({ status, text }) {
  return `${status} ${text.slice(0, 200).replaceAll(/\s+/g, ' ')}`
}

export const bearer = (token) => ({ authorization: `Bearer ${token}` })
export const cookie = (token) => ({ cookie: `authjs.session-token=${token}` })
