import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { attemptPassword } from '#rate-limits/password-attempts'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { randomIp } from '#testing/server/call-action'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const viewer = 'viewer@example.com'
const editor = 'editor@example.com'

type Client = ReturnType<typeof newClient>

/** Without hashing, which takes long. */
async function failFrom({ ip }: Pick<Client, 'ip'>, times: number) {
  for (let count = 0; count < times; count += 1) {
    await attemptPassword({ ip }, 'unknown@example.com', async () => undefined)
  }
}

test('guesses with a new port or address of one /64 each are one client', async () => {
  await failFrom({ ip: '2001:db8:1:2:3:4:5:6' }, 8)
  const statuses: number[] = []
  for (let count = 1; count <= 5; count += 1) {
    const client = newClient(`[2001:db8:1:2::${count}]:${count}`)
    statuses.push((await client.signIn(viewer, 'wrong')).status)
  }
  expect(statuses).toEqual([401, 401, 429, 429, 429])
})

test('a browser that signed in before is not locked out with its IP, also after sign-out', async () => {
  const client = newClient()
  const response = await client.signIn(viewer)
  const device = response.headers.getSetCookie().find((line) => line.startsWith('plinth.device='))
  expect(device).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  await client.post('/api/auth/signout', { redirect: false })
  expect([...client.cookies.keys()]).toEqual(['plinth.device'])
  await failFrom(client, 10)

  expect((await client.signIn(viewer)).status).toBe(200)
  expect((await client.signIn(viewer, 'a typo')).status).toBe(401)
  // The cookie is for that account only.
  expect((await client.signIn(editor)).status).toBe(429)
  client.cookies.clear()
  expect((await client.signIn(viewer)).status).toBe(429)
})

test('the cookie of a device is no session', async () => {
  const client = newClient()
  await client.signIn(viewer)
  client.cookies.delete('authjs.session-token')
  expect(await client.session()).toBeNull()
})

test.each([viewer, 'nobody@example.com'])(
  '%s is slowed down after many failures',
  async (email) => {
    const owner = newClient()
    if (email === viewer) await owner.signIn(email)
    for (let count = 0; count < 105; count += 1) {
      await attemptPassword({ ip: randomIp() }, email, async () => undefined)
    }
    const limited = await newClient().signIn(email)
    expect(limited.status).toBe(429)
    const seconds = Number(limited.headers.get('retry-after'))
    expect(seconds).toBeLessThanOrEqual(60)
    expect((await limited.json()).detail).toBe(
      `Too many attempts. Try again in ${seconds === 60 ? 'a minute' : `${seconds} seconds`}.`,
    )
    if (email === viewer) expect((await owner.signIn(email)).status).toBe(200)
  },
)
