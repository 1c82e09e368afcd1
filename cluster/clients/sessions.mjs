import { bearer, cookie, send, unexpected } from './send.mjs'

/** A signed-in user is that user in every response, on whichever instance. */
export async function checkSession({ journal, url }, user, token, count) {
  const headers = count % 2 === 0 ? cookie(token) : bearer(token)
  return send(journal, 'session', `${url}/api/auth/session`, {
    headers,
    judge: (answer) => (isSessionOf(answer, user) ? undefined : unexpected(answer)),
  })
}

export function isSessionOf({ status, text }, user) {
  if (status !== 200) return false
  try {
    return JSON.parse(text)?.user?.id === user.id
  } catch {
    return false
  }
}
