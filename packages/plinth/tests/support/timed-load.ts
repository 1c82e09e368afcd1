import { setTimeout as pause } from 'node:timers/promises'

type Work = () => PromiseLike<unknown>

/**
 * A page, the session endpoint, a change of the user, and other work, each in a loop until it is
 * stopped. Remembers the longest time of each, in milliseconds.
 */
export function startTimedLoad(url: string, tokens: string[], others: Record<string, Work>) {
  let next = 0
  const headers = () => {
    next = (next + 1) % tokens.length
    return { authorization: `Bearer ${tokens[next]}`, 'content-type': 'application/json' }
  }
  const body = () => JSON.stringify({ theme: Math.random() < 0.5 ? 'dark' : 'light' })
  const kinds: Record<string, Work> = {
    '/sign-in': () => send('/sign-in', {}),
    '/api/auth/session': () => send('/api/auth/session', { headers: headers() }),
    '/api/preferences': () =>
      send('/api/preferences', { method: 'PATCH', headers: headers(), body: body() }),
    ...others,
  }
  const failures: string[] = []
  let longest: Record<string, number> = {}
  let count = 0
  let running = true

  async function send(path: string, init: RequestInit): Promise<void> {
    const response = await fetch(url + path, init)
    await response.arrayBuffer()
    if (response.status >= 400) throw new Error(String(response.status))
  }

  const loops = Object.entries(kinds).map(async ([kind, work]) => {
    while (running) {
      const startedAt = performance.now()
      await Promise.resolve(work()).catch((error) => failures.push(`${kind}: ${error.message}`))
      const milliseconds = Math.round(performance.now() - startedAt)
      longest[kind] = Math.max(longest[kind] ?? 0, milliseconds)
      count += 1
      await pause(20)
    }
  })

  return {
    failures,
    count: () => count,
    /** The longest wait of each kind since the last call. */
    takeLongest() {
      const taken = longest
      longest = {}
      return taken
    },
    async stop() {
      running = false
      await Promise.all(loops)
    },
  }
}
