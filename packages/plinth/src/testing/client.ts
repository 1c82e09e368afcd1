import { expect } from 'vitest'
import { createApi } from '#api/api'
import { env } from '#config/env'
import { installModules } from '#modules/installed-modules'
import { type ResponseCheck, responseCheck } from '#testing/response-check'
import { testedApp } from '#testing/setup/tested-app'
import { demoPassword } from '#universal/users'

/** Made once: the files of a worker share its process. */
const made: { api?: ReturnType<typeof createApi>; responses?: ResponseCheck } = {}

/** The test file whose clients use the API with all modules. */
let usedBy: string | undefined

function apiOfFile() {
  const { modules } = testedApp()
  const { testPath } = expect.getState()
  if (testPath !== usedBy) installModules(modules)
  usedBy = testPath
  made.api ??= createApi(modules)
  return made.api
}

let clients = 0

/** An API client with its own IP that keeps cookies as a browser does. */
export function newClient(reportedIp?: string) {
  const api = apiOfFile()
  // Each client has its own IP, so that no client uses up the rate limit of another.
  Object.assign(env(), { TRUST_PROXY: 1 })
  clients += 1
  const ip = reportedIp ?? `10.0.${clients >> 8}.${clients & 255}`
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', ip)
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    }
    const response = await api.request(path, { ...init, headers })
    made.responses ??= responseCheck()
    await made.responses(init.method ?? 'GET', path, response.clone())
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
    ip,
    cookies,
    send,
    post,
    signIn: (email: string, password = demoPassword, more: object = {}) =>
      post('/api/auth/signin', { email, password, redirect: false, ...more }),
    session: async (headers: Record<string, string> = {}) =>
      (await send('/api/auth/session', { headers })).json(),
  }
}
