import { expect, test } from 'vitest'
import { makeCaller } from '../support/callers'
import { runningProduct } from '../support/product'

const product = runningProduct()

/** Of those who are signed in, this page says who they are. */
const page = '/sign-in'

const cookieOf = (token: string) => ({ cookie: `authjs.session-token=${token}` })

async function addressesAt(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await fetch(product.url + path, { headers, method })
  expect(response.status).toBe(200)
  return new Set((await response.text()).match(/caller-\d+-\d+@example\.com/g))
}

test('of many who ask at once, each is shown what is theirs', async () => {
  const people = await Promise.all(
    Array.from({ length: 25 }, () => makeCaller(product.database, 'viewer')),
  )
  const seen = await Promise.all(
    [...people, ...people].map(({ token }) => addressesAt(page, cookieOf(token))),
  )
  expect(seen).toEqual([...people, ...people].map(({ email }) => new Set([email])))
})

test('a page is the same whether the host prepared it or Next asks for it', async () => {
  const { email, token } = await makeCaller(product.database, 'editor')
  const headers = cookieOf(token)
  await addressesAt(page, headers)
  const ways = [
    addressesAt(page, headers),
    addressesAt(page, { ...headers, rsc: '1' }),
    addressesAt(`${page}?error=a&error=b&%65rror=c`, headers),
  ]
  for (const seen of await Promise.all(ways)) expect(seen).toEqual(new Set([email]))
  expect(await addressesAt(page, headers, 'HEAD')).toEqual(new Set())
})

test('a session that has ended is not shown again by what was prepared before', async () => {
  const { email, token } = await makeCaller(product.database, 'viewer')
  const headers = cookieOf(token)
  expect(await addressesAt(page, headers)).toEqual(new Set([email]))
  const left = await fetch(`${product.url}/api/auth/signout`, {
    method: 'POST',
    headers: { ...headers, 'sec-fetch-site': 'same-origin' },
  })
  expect(left.ok).toBe(true)
  expect(await addressesAt(page, headers)).toEqual(new Set())
})

// Whether the host prepared it, or it was not known yet.
test.each([page, '/forgot'])('the log says who looked at %s', async (path) => {
  const { id, token } = await makeCaller(product.database, 'viewer')
  const somebody = crypto.randomUUID()
  const nobody = crypto.randomUUID()
  for (const [requestId, headers] of [
    [somebody, cookieOf(token)] as const,
    [nobody, {}] as const,
  ]) {
    await fetch(product.url + path, { headers: { ...headers, 'x-request-id': requestId } })
    await product.server.waitFor(new RegExp(`"msg":"request".*"requestId":"${requestId}"`))
  }
  const lines = product.server.log().filter(({ msg }) => msg === 'request')
  expect(lines.find(({ requestId }) => requestId === somebody)).toMatchObject({ userId: id })
  expect(lines.find(({ requestId }) => requestId === nobody)).not.toHaveProperty('userId')
})
