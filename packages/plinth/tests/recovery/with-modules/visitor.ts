import { authorizeAtProvider } from '#testing/oauth/oauth'
import type { ActionOutcome } from '#testing/server/call-action'
import { builtActions, parseActionResponse, randomIp } from '#testing/server/call-action'
import type { Site } from './site'

/** A browser with an IP and cookies of its own. */
export function newVisitor(site: Site) {
  const ip = randomIp()
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', ip)
    headers.set('origin', site.url)
    headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(site.url + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  const post = (path: string, body: unknown) =>
    send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  async function act(name: string, input: object): Promise<ActionOutcome> {
    const action = builtActions().get(name)
    if (!action) throw new Error(`The build has no action ${name}.`)
    const response = await send(action.path, {
      method: 'POST',
      body: JSON.stringify([input]),
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': action.id },
    })
    return parseActionResponse(name, response)
  }

  return {
    send,
    post,
    act,
    /** Fails if the action refuses. */
    async succeed(name: string, input: object): Promise<ActionOutcome> {
      const outcome = await act(name, input)
      if ('ok' in outcome && !outcome.ok) {
        throw new Error(`${name} refused: ${JSON.stringify(outcome)}`)
      }
      return outcome
    },
    html: async (path: string) => (await send(path, { headers: { accept: 'text/html' } })).text(),
    async session(): Promise<{ user: { id: string; email: string } } | null> {
      return (await send('/api/auth/session')).json()
    },
    /** The whole flow at a provider, as this account there. Returns where it ends. */
    async authorize(
      provider: string,
      account: { id: string; email: string },
      fields: Record<string, string> = {},
    ): Promise<string> {
      site.providerOf(provider).user = { ...account, verified: true }
      const started = await send(`/api/auth/signin/${provider}`, {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: new URLSearchParams(fields),
      })
      const start = new URL(started.headers.get('location') ?? '', site.url)
      // The site has refused it.
      if (start.origin === site.url) return start.pathname + start.search
      const { pathname, search } = await authorizeAtProvider(start)
      const ended = await send(pathname + search, { headers: { accept: 'text/html' } })
      return ended.headers.get('location') ?? ''
    },
  }
}

export type Visitor = ReturnType<typeof newVisitor>
