import { password } from '../system/users.mjs'
import { send, unexpected } from './send.mjs'
import { checkSession } from './sessions.mjs'

/** Signs in, and is signed in with the next request, which another instance may get. */
export async function signIn(context, user, count) {
  const { journal, url } = context
  const { ok, text } = await send(journal, 'sign-in', `${url}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify({ email: user.email, password, redirect: false, transport: 'bearer' }),
    headers: { 'content-type': 'application/json' },
    judge: (answer) => (tokenIn(answer) ? undefined : unexpected(answer)),
  })
  if (!ok) return
  const { token } = JSON.parse(text)
  journal.addWrite({ kind: 'session', at: performance.now(), key: token })
  await checkSession(context, user, token, count)
}

function tokenIn({ status, text }) {
  try {
    return status === 200 ? JSON.parse(text).token : undefined
  } catch {
    return undefined
  }
}
