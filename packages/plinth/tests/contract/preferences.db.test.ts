import { beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'

const db = testDatabase()
const { userOf } = databaseRows(db)

beforeEach(() => createDemoAccounts(db.database))

const change = (client: ReturnType<typeof newClient>, body: unknown) =>
  client.send('/api/preferences', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a theme that the user has saved is set as a cookie at the next sign-in', async () => {
  const client = newClient()
  const first = await client.signIn('viewer@example.com', 'plinth-demo-1')
  expect(first.headers.getSetCookie().join()).not.toMatch(/\btheme=/)
  const response = await change(client, { theme: 'dark' })
  expect([response.status, await response.json()]).toEqual([200, { timeZone: null, theme: 'dark' }])

  const onNewDevice = await newClient().signIn('viewer@example.com', 'plinth-demo-1')
  const cookie = onNewDevice.headers.getSetCookie().find((set) => set.startsWith('theme='))
  expect(cookie).toMatch(/^theme=dark; /)
  expect(cookie).not.toMatch(/HttpOnly/i)
})

test('a field that is absent stays', async () => {
  const client = newClient()
  await client.signIn('editor@example.com', 'plinth-demo-1')
  await change(client, { timeZone: 'asia/tokyo' })
  const response = await change(client, { theme: 'light' })
  expect(await response.json()).toEqual({ timeZone: 'Asia/Tokyo', theme: 'light' })
})

test('refuses an anonymous caller and unknown values, and changes nothing', async () => {
  const anonymous = await change(newClient(), { theme: 'dark' })
  expect(anonymous.status).toBe(401)
  const client = newClient()
  await client.signIn('admin@example.com', 'plinth-demo-1')
  const before = await userOf('admin@example.com')
  for (const body of [{ theme: 'blue' }, { timeZone: 'Nowhere' }, { role: 'admin' }]) {
    expect((await change(client, body)).status).toBe(422)
  }
  expect(await userOf('admin@example.com')).toEqual(before)
})
