import { expect, test } from 'vitest'
import { createCaller } from '#testing/callers'
import { runningServer } from '#testing/server/running-server'

const app = runningServer()

/** Shows the email of the signed-in user. */
const page = '/sign-in'

const cookieOf = (token: string) => ({ cookie: `authjs.session-token=${token}` })

async function emailsAt(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(app.url + path, { headers, method })
  expect(response.status).toBe(200)
  return new Set((await response.text()).match(/caller-\d+-\d+@example\.com/g))
}

test('concurrent requests each show their own user', async () => {
  const viewers = await Promise.all(
    Array.from({ length: 25 }, () => createCaller(app.database, 'viewer')),
  )
  const seen = await Promise.all(
    [...viewers, ...viewers].map(({ token }) => emailsAt(page, cookieOf(token))),
  )
  expect(seen).toEqual([...viewers, ...viewers].map(({ email }) => new Set([email])))
})

test('a page shows the same with and without preloading', async () => {
  const { email, token } = await createCaller(app.database, 'editor')
  const headers = cookieOf(token)
  await emailsAt(page, headers)
  const variants = [
    emailsAt(page, headers),
    emailsAt(page, { ...headers, rsc: '1' }),
    emailsAt(`${page}?error=a&error=b&%65rror=c`, headers),
  ]
  for (const seen of await Promise.all(variants)) expect(seen).toEqual(new Set([email]))
  expect(await emailsAt(page, headers, 'HEAD')).toEqual(new Set())
})

test('a revoked session is not shown from preloaded data', async () => {
  const { email, token } = await createCaller(app.database, 'viewer')
  const headers = cookieOf(token)
  expect(await emailsAt(page, headers)).toEqual(new Set([email]))
  const signOut = await fetch(`${app.url}/api/auth/signout`, {
    method: 'POST',
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
  })
  expect(signOut.ok).toBe(true)
  expect(await emailsAt(page, headers)).toEqual(new Set())
})

// A preloaded page, and one that is not registered yet.
test.each([page, '/forgot'])('logs the user id of a request for %s', async (path) => {
  const { id, token } = await createCaller(app.database, 'viewer')
  const signedIn = crypto.randomUUID()
  const anonymous = crypto.randomUUID()
  for (const [requestId, headers] of [
    [signedIn, cookieOf(token)] as const,
    [anonymous, {}] as const,
  ]) {
    await fetch(app.url + path, { headers: { ...headers, 'x-request-id': requestId } })
    await app.server.waitFor(new RegExp(`"msg":"request".*"requestId":"${requestId}"`))
  }
  const lines = app.server.log().filter(({ msg }) => msg === 'request')
  expect(lines.find(({ requestId }) => requestId === signedIn)).toMatchObject({ userId: id })
  expect(lines.find(({ requestId }) => requestId === anonymous)).not.toHaveProperty('userId')
})
