import { beforeAll, expect, test } from 'vitest'
import { encodeFlash } from '#guard/flash'
import { createCaller } from '#testing/callers'
import { runningServer } from '#testing/server/running-server'
import { configure } from '#testing/settings'

// To sign with the secret of the server.
beforeAll(() => configure({}))

const app = runningServer()
const text = 'Invitation sent to new@example.com.'

async function open(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { id, token } = await createCaller(app.database, 'viewer')
  const flash = encodeFlash({ text }, id)
  const cookie = `authjs.session-token=${token}; plinth.flash=${flash}`
  const response = await fetch(app.url + path, { method, headers: { cookie, ...headers } })
  return {
    status: response.status,
    shown: (await response.text()).includes(text),
    cleared: response.headers.getSetCookie().some((set) => /^plinth\.flash=; Max-Age=0/.test(set)),
  }
}

test('a document shows the message and clears it', async () => {
  expect(await open('/home')).toEqual({ status: 200, shown: true, cleared: true })
})

test('a client navigation shows the message and clears it', async () => {
  expect(await open('/home', { rsc: '1' })).toEqual({ status: 200, shown: true, cleared: true })
})

test.each([
  { name: 'a prefetch by the router', headers: { rsc: '1', 'next-router-prefetch': '1' } },
  { name: 'a prefetch by the browser', headers: { 'sec-purpose': 'prefetch' } },
])('$name leaves the message', async ({ headers }) => {
  expect(await open('/home', headers)).toMatchObject({ shown: false, cleared: false })
})

test('a HEAD request leaves the message', async () => {
  expect(await open('/home', {}, 'HEAD')).toMatchObject({ status: 200, cleared: false })
})

test('a page that is not shown leaves the message', async () => {
  expect(await open('/no-such-page')).toEqual({ status: 404, shown: false, cleared: false })
})

test('a page from the render cache does not repeat the message', async () => {
  const { id, token } = await createCaller(app.database, 'viewer')
  const session = `authjs.session-token=${token}`
  const flash = `plinth.flash=${encodeFlash({ text }, id)}`
  const shown = []
  for (const cookie of [`${session}; ${flash}`, session, session]) {
    const response = await fetch(`${app.url}/home`, { headers: { cookie } })
    shown.push((await response.text()).includes(text))
  }
  expect(shown).toEqual([true, false, false])
})
