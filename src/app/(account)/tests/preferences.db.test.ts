import { timeZoneField } from 'plinth/auth/accounts/fields'
import { findSession } from 'plinth/auth/sessions/cache'
import { sqlState } from 'plinth/db/errors'
import { users } from 'plinth/db/schema'
import { timeZoneOf } from 'plinth/http/scope'
import { newClient, testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { exportData } from '../data/data-export'
import { updatePreferences } from '../preference-actions'
import { newUser, password } from './users'

const db = testDatabase()

test('preferences are seen by the next request and are part of the data export', async () => {
  const { scope, token } = await newUser(db.database)
  expect(timeZoneOf({ session: await findSession(token) })).toBeUndefined()
  const chosen = { timeZone: 'Asia/Tokyo', theme: 'dark' as const }
  expect(await updatePreferences.run(scope, chosen)).toEqual(chosen)
  expect((await findSession(token))?.user).toMatchObject(chosen)
  expect(timeZoneOf({ session: await findSession(token) })).toBe('Asia/Tokyo')
  expect((await exportData(scope)).profile).toMatchObject(chosen)
  await updatePreferences.run(scope, { timeZone: null, theme: null })
  expect(timeZoneOf({ session: await findSession(token) })).toBeUndefined()
})

test('the session of the API has no preferences', async () => {
  const { email, scope } = await newUser(db.database)
  await updatePreferences.run(scope, { timeZone: 'Asia/Tokyo', theme: 'dark' })
  const client = newClient()
  await client.signIn(email, password)
  expect(Object.keys((await client.session()).user)).toEqual(['id', 'email', 'name', 'role'])
})

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  [' America/new york ', 'America/New_York'],
  ['UTC', 'UTC'],
])('the time zone %j is stored as %j', (typed, stored) => {
  expect(timeZoneField.parse(typed)).toBe(stored)
})

test.each([
  'Europe/Nowhere',
  '+01:00',
  '../../etc/passwd',
  "UTC'; drop table users",
  'x'.repeat(65),
])('rejects the time zone %j', (typed) => {
  expect(timeZoneField.safeParse(typed).success).toBe(false)
})

test.each([{ timeZone: '<script>' }, { theme: 'blue' as 'dark' }])(
  'the database rejects %j too',
  async (preferences) => {
    const user = { email: 'constraint@example.com', name: 'A', ...preferences }
    const insert = db.database.insert(users).values(user)
    expect(sqlState(await insert.catch((error: unknown) => error))).toBe('23514')
  },
)
