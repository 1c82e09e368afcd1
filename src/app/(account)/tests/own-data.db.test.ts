import { newClient } from '@tests/support/client'
import { testDatabase } from '@tests/support/database'
import { everythingIn } from '@tests/support/everything'
import { lastEvent } from '@tests/support/stored'
import { expect, test } from 'vitest'
import { record } from '@/core/audit/record'
import { auditEvents } from '@/core/db/schema'
import { install } from '@/core/shell/installed'
import { modules } from '@/modules'
import { newPerson, password, signIn } from './people'

const db = testDatabase()
const path = '/api/account/data.json'

/** The client holds every answer against the description of the interface. */
const download = (token: string) =>
  newClient().send(path, { headers: { authorization: `Bearer ${token}` } })

const event = { outcome: 'success', address: '192.0.2.7', requestId: 'test' } as const

test('it is everything about the person, as a file that nobody keeps, and in the trail', async () => {
  const person = await newPerson(db.database, { providers: ['one-service'] })
  await signIn(db.database, person.user, 'Firefox')
  const response = await download(person.token)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="account-data.json"',
  )
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const data = await response.json()
  expect(data).toMatchObject({
    profile: { id: person.id, email: person.email, name: person.user.name, role: 'viewer' },
    linkedAccounts: [{ provider: 'one-service' }],
    sessions: [{ current: true }, { current: false, userAgent: 'Firefox' }],
    events: [],
    olderEventsLeftOut: false,
  })
  expect(data.profile.passwordChangedAt).toMatch(/Z$/)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'download_data',
    outcome: 'success',
    actorId: person.id,
    targetId: person.id,
  })
})

test('it holds what they did and what was done to them, without who else took part', async () => {
  const person = await newPerson(db.database)
  const other = await newPerson(db.database)
  await record(db.database, { ...event, action: 'own', actorId: person.id, targetId: 'thing' })
  await record(db.database, {
    ...event,
    action: 'by other',
    actorId: other.id,
    targetId: person.id,
  })
  await record(db.database, { ...event, action: 'by nobody', targetId: person.id })
  await record(db.database, { ...event, action: 'foreign', actorId: other.id, targetId: other.id })
  const response = await download(person.token)
  const { events } = await response.clone().json()
  expect(events).toMatchObject([
    { action: 'by nobody', by: 'unknown', target: 'you', address: '192.0.2.7' },
    { action: 'by other', by: 'somebody else', target: 'you', address: null, requestId: null },
    { action: 'own', by: 'you', target: 'thing', address: '192.0.2.7' },
  ])
  expect(await response.text()).not.toContain(other.id)
})

test('it holds nothing that lets somebody in', async () => {
  const person = await newPerson(db.database)
  const text = await (await download(person.token)).text()
  expect(text).not.toMatch(/argon2|hash/i)
  expect(text).not.toContain(person.token)
  expect(text).not.toContain(password)
})

test('what modules hold is asked of each, with the scope of the person', async () => {
  const person = await newPerson(db.database)
  install([
    { id: 'keeps', personalData: async ({ session }) => ({ of: session.user.id }) },
    { id: 'keeps-nothing' },
  ])
  try {
    const data = await (await download(person.token)).json()
    expect(data.modules).toEqual({ keeps: { of: person.id } })
  } finally {
    install(modules)
  }
})

test('of very many events the newest are there, and that there are more', async () => {
  const person = await newPerson(db.database)
  const many = Array.from({ length: 2100 }, (_, index) => ({
    ...event,
    action: `event_${index}`,
    actorId: person.id,
  }))
  await db.database.insert(auditEvents).values(many)
  const { events, olderEventsLeftOut } = await (await download(person.token)).json()
  expect(events).toHaveLength(2000)
  expect(events[0].action).toBe('event_2099')
  expect(olderEventsLeftOut).toBe(true)
})

test('nobody gets nothing', async () => {
  const before = await everythingIn(db.database)
  const response = await newClient().send(path)
  expect(response.status).toBe(401)
  expect(response.headers.get('content-disposition')).toBeNull()
  expect(await everythingIn(db.database)).toBe(before)
})
