import { setTimeout as pause } from 'node:timers/promises'
import { bearer, receive, send, unexpected } from './send.mjs'
import { isSessionOf } from './sessions.mjs'

const promisedMs = 100
const checkedForMs = 600

/** Signs a session out that every instance has cached; 100 ms later no instance accepts it. */
export async function revokeSession({ journal, url, instances }, user, token) {
  const headers = bearer(token)
  const session = (instance) => receive(`${instance.url}/api/auth/session`, { headers })
  await Promise.all(instances.map(session))
  const { ok } = await send(journal, 'sign-out', `${url}/api/auth/signout`, {
    method: 'POST',
    body: JSON.stringify({ redirect: false }),
    headers: { ...headers, 'content-type': 'application/json' },
    judge: (answer) => (answer.status === 200 ? undefined : unexpected(answer)),
  })
  // Without a confirmation it may have ended or not.
  if (!ok) return
  const revokedAt = performance.now()
  journal.addWrite({ kind: 'revocation', at: revokedAt, key: token })
  await pause(promisedMs)
  await Promise.all(
    instances.map(async (instance) => {
      while (performance.now() < revokedAt + checkedForMs) {
        const at = performance.now()
        const answer = await session(instance)
        const accepted = isSessionOf(answer, user)
        // An instance that restarts is not reachable past the load balancer.
        if (answer.status !== 200) return
        journal.addSample({
          client: 'revoked session',
          at,
          waitMs: performance.now() - at,
          status: answer.status,
          outcome: accepted ? 'wrong' : 'ok',
          detail: `instance ${instance.name} accepts a session ${Math.round(at - revokedAt)} ms after it was revoked`,
        })
        await pause(promisedMs)
      }
    }),
  )
}
