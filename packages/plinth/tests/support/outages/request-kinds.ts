import { transports } from '#testing/callers'
import { builtActions, randomIp } from '#testing/server/call-action'
import type { Answer, Outcome, RequestKind } from './load'

export type SignedIn = { id: string; email: string; token: string }

/** Admins, so that every page and route is allowed. Each has sessions and changes of its own. */
export type LoadUsers = { reader: SignedIn; writers: readonly SignedIn[]; signsIn: string[] }

/** The mix: sessions most often, then pages, navigations, the API, actions and sign-ins. */
export function requestKinds(url: string, { reader, writers, signsIn }: LoadUsers): RequestKind[] {
  const cookie = transports.cookie(reader.token)
  const bearer = transports.bearer(reader.token)
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers, redirect: 'manual' })
  const page = (name: string, path: string): RequestKind => ({
    name,
    intervalMs: 800,
    send: () => get(path, cookie),
    judge: judgePage,
  })
  const navigation = (name: string, path: string): RequestKind => ({
    ...page(name, path),
    // Next redirects to the URL with a hash of the router's headers.
    send: () => fetch(url + path, { headers: { ...cookie, rsc: '1' } }),
  })

  return [
    session('session by cookie', () => get('/api/auth/session', cookie), reader.id),
    session('session by bearer', () => get('/api/auth/session', bearer), reader.id),
    session('anonymous session', () => get('/api/auth/session'), undefined),
    {
      name: 'API route',
      intervalMs: 400,
      send: () => get('/api/demo/admin/users', bearer),
      judge: (answer) => judgeApi(answer, answer.text.includes('"users"')),
    },
    page('page account', '/account'),
    page('page articles', '/articles'),
    navigation('navigation account', '/account'),
    navigation('navigation articles', '/articles'),
    action(url, writers),
    signIn(url, signsIn),
    {
      name: 'health',
      intervalMs: 400,
      send: () => get('/api/health'),
      judge: (answer) => judgeApi(answer, true, 'unhealthy'),
    },
  ]
}

function session(name: string, send: () => Promise<Response>, userId?: string): RequestKind {
  return {
    name,
    intervalMs: 150,
    send,
    judge: (answer) =>
      userId && answer.status === 200 && answer.text === 'null'
        ? 'signed out'
        : judgeApi(answer, answer.text.includes(userId ?? 'null')),
  }
}

const updateProfile = { name: 'updateProfile', input: () => ({ name: crypto.randomUUID() }) }

/** Changes the name of a user by default, in a transaction with an audit event. */
export function action(
  url: string,
  users: readonly SignedIn[],
  { name, input }: { name: string; input(): object } = updateProfile,
): RequestKind {
  const declared = builtActions().get(name)
  let count = 0
  return {
    name: 'action',
    intervalMs: 800,
    send: () => {
      count += 1
      const { token } = users[count % users.length] as SignedIn
      return fetch(`${url}${declared?.path}`, {
        method: 'POST',
        body: JSON.stringify([input()]),
        headers: {
          'content-type': 'text/plain;charset=UTF-8',
          'next-action': declared?.id ?? '',
          ...transports.cookie(token),
        },
        redirect: 'manual',
      })
    },
    judge: ({ status, headers, text }) => {
      const redirect = headers.get('x-action-redirect')
      if (redirect) return redirect.startsWith('/sign-in') ? 'signed out' : 'ok'
      if (/"code":"unauthenticated"/.test(text)) return 'signed out'
      const isUnavailable = /"code":"unavailable"/.test(text) && headers.has('retry-after')
      return status === 503 && isUnavailable ? 'unavailable' : 'error'
    },
  }
}

/** With the password of the demo accounts. */
function signIn(url: string, emails: readonly string[]): RequestKind {
  let count = 0
  return {
    name: 'sign-in',
    intervalMs: 800,
    send: () => {
      count += 1
      const email = emails[count % emails.length]
      return fetch(`${url}/api/auth/signin`, {
        method: 'POST',
        body: JSON.stringify({ email, password: 'plinth-demo-1', redirect: false }),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': randomIp() },
      })
    },
    judge: (answer) => judgeApi(answer, answer.text.includes('"session"')),
  }
}

function judgeApi(
  { status, headers, text }: Answer,
  isExpected: boolean,
  code = 'database_unreachable',
): Outcome {
  if (status === 401) return 'signed out'
  if (status === 200 && isExpected) return 'ok'
  const isProblem = text.includes(`"code":"${code}"`) && headers.has('retry-after')
  return status === 503 && isProblem ? 'unavailable' : 'error'
}

/** Also of a navigation. */
function judgePage({ url, status, headers, text }: Answer): Outcome {
  const isSignIn = [url, headers.get('location')].some((at) => at?.includes('/sign-in'))
  if (isSignIn || text.includes('/sign-in?callbackUrl')) return 'signed out'
  if (status === 503) return headers.has('retry-after') ? 'unavailable' : 'error'
  if (status !== 200) return 'error'
  return /^\w+:E\{"digest"|data-dgst/m.test(text) ? 'incomplete' : 'ok'
}
