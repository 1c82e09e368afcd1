import { createApi } from '@/api'
import { demoPassword } from '@/core/auth/demo-accounts'
import { env } from '@/core/env'
import { modules } from '@/modules'
import { expectDescribed } from './description'

const api = createApi(modules)

let callers = 0

/** Somebody at an address of their own, who keeps cookies as a browser does. */
export function newClient() {
  // Each its own address: what one does must not use up the tries of another.
  Object.assign(env(), { TRUST_PROXY: 1 })
  // Without a database's folder there is no place to keep one that was made up.
  env().AUTH_SECRET ??= 'only-for-tests-'.repeat(3)
  callers += 1
  const address = `203.0.113.${callers % 256}:${callers}`
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', address)
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    }
    const response = await api.request(path, { ...init, headers })
    await expectDescribed(init.method ?? 'GET', path, response.clone())
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  return {
    address,
    cookies,
    send,
    post,
    signIn: (email: string, password = demoPassword, more: object = {}) =>
      post('/api/auth/signin', { email, password, redirect: false, ...more }),
    session: async (headers: Record<string, string> = {}) =>
      (await send('/api/auth/session', { headers })).json(),
  }
}
