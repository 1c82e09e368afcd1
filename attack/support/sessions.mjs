import { json, newIp, send } from './send.mjs'

/** Signs in as a browser does. `previous` is the session that the new one replaces. */
export async function signIn(base, { email, password }, { previous, ip = newIp() } = {}) {
  const body = json({ email, password, redirect: false })
  const response = await send(base, '/api/auth/signin', { ...body, caller: previous, ip })
  const session = sessionFrom(response, ip)
  if (!session) throw new Error(`Sign-in of ${email} failed with ${response.status}.`)
  const { user } = (await response.json()).session
  return { ...session, email, password, id: user.id, name: user.name, role: user.role }
}

/** The session that a response sets, if it sets one. */
export function sessionFrom(response, ip) {
  const cookie = sessionCookie(response.headers.getSetCookie())
  if (!cookie) return undefined
  return { cookie, token: cookie.slice(cookie.indexOf('=') + 1), ip }
}

function sessionCookie(lines) {
  const line = lines.find((value) => /^[^=;]*session-token=[^;]+/.test(value))
  return line?.split(';', 1)[0]
}

/** The session as the API reports it: the object, or null if it has ended. */
export async function sessionOf(base, caller) {
  const response = await send(base, '/api/auth/session', { caller })
  return response.json()
}

/** Whether the server believes the IP in X-Forwarded-For, seen in the user's own data. */
export async function isProxyTrusted(base, account) {
  const caller = await signIn(base, account)
  const response = await send(base, '/api/account/data.json', { caller })
  if (response.status !== 200) return false
  const { sessions } = await response.json()
  return sessions.some(({ ip, current }) => current && ip === caller.ip)
}
