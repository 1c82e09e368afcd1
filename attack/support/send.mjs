const timeoutMs = 20_000

let lastIp = 0

/** A new client. From the range for benchmarks, which is no one's address. */
export function newIp() {
  lastIp += 1
  return `198.18.${Math.floor(lastIp / 250) % 250}.${(lastIp % 250) + 1}`
}

/**
 * A request that follows no redirect. `caller` adds the cookie and the IP of a session.
 *
 * @param {string} base
 * @param {string} path
 */
export function send(base, path, { caller, ip = caller?.ip ?? newIp(), headers, ...init } = {}) {
  return fetch(base + path, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...init,
    headers: { 'x-forwarded-for': ip, ...(caller && { cookie: caller.cookie }), ...headers },
  })
}

/** With the redirects of Next to the same page, and the text of all responses. */
export async function sendAndFollow(base, path, init) {
  let text = ''
  let next = path
  for (let count = 0; count < 4; count += 1) {
    const response = await send(base, next, init)
    text += await response.text()
    const location = response.headers.get('location')
    if (!location || response.status < 300 || response.status >= 400) {
      return { status: response.status, text, path: next }
    }
    const url = new URL(location, base)
    if (url.origin !== new URL(base).origin)
      return { status: response.status, text, path: location }
    next = url.pathname + url.search
  }
  return { status: 310, text, path: next }
}

export function json(body) {
  return {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }
}
