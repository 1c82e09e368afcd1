import { record } from 'plinth/audit/record'
import { auditEvents, mailQueue, verificationTokens } from 'plinth/db/schema'
import { installModules } from 'plinth/modules/installed-modules'
import { lastEvent, newClient, snapshotDatabase, testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { modules } from '@/modules'
import { newUser, password, signIn } from './users'

const db = testDatabase()
const path = '/api/account/data.json'

/** The client validates every response against the OpenAPI document. */
const download = (token: string) =>
  newClient().send(path, { headers: { authorization: `Bearer ${token}` } })

const event = { outcome: 'success', ip: '192.0.2.7', requestId: 'test' } as const

test('returns all data of the user as an uncached file and audits it', async () => {
  const viewer = await newUser(db.database, { providers: ['provider-a'] })
  await signIn(db.database, viewer.user, 'Firefox')
  const response = await download(viewer.token)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="account-data.json"',
  )
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const data = await response.json()
  expect(data).toMatchObject({
    profile: { id: viewer.id, email: viewer.email, name: viewer.user.name, role: 'viewer' },
    linkedAccounts: [{ provider: 'provider-a' }],
    sessions: [{ current: true }, { current: false, userAgent: 'Firefox' }],
    links: [],
    queuedMail: [],
    // This export.
    events: [{ action: 'export_data', by: 'you', target: 'you' }],
  })
  expect(data.profile.passwordChangedAt).toMatch(/Z$/)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'export_data',
    outcome: 'success',
    actorId: viewer.id,
    targetId: viewer.id,
  })
})

test('contains events by and about the user, without the data of other users', async () => {
  const viewer = await newUser(db.database)
  const other = await newUser(db.database)
  await record(db.database, { ...event, action: 'own', actorId: viewer.id, targetId: 'thing' })
  await record(db.database, {
    ...event,
    action: 'by other',
    actorId: other.id,
    targetId: viewer.id,
  })
  await record(db.database, { ...event, action: 'by unknown', targetId: viewer.id })
  await record(db.database, { ...event, action: 'foreign', actorId: other.id, targetId: other.id })
  const response = await download(viewer.token)
  const { events } = await response.clone().json()
  expect(events).toMatchObject([
    { action: 'export_data' },
    { action: 'by unknown', by: 'unknown', target: 'you', ip: '192.0.2.7' },
    { action: 'by other', by: 'another user', target: 'you', ip: null, requestId: null },
    { action: 'own', by: 'you', target: 'thing', ip: '192.0.2.7' },
  ])
  expect(await response.text()).not.toContain(other.id)
})

test('contains no credentials', async () => {
  const viewer = await newUser(db.database)
  const text = await (await download(viewer.token)).text()
  expect(text).not.toMatch(/argon2|hash/i)
  expect(text).not.toContain(viewer.token)
  expect(text).not.toContain(password)
})

test('contains the personal data of modules', async () => {
  const viewer = await newUser(db.database)
  installModules([
    { id: 'with-data', personalData: async ({ session }) => ({ of: session.user.id }) },
    { id: 'without-data' },
  ])
  try {
    const data = await (await download(viewer.token)).json()
    expect(data.modules).toEqual({ 'with-data': { of: viewer.id } })
  } finally {
    installModules(modules)
  }
})

test('contains all events, however many, each once and the newest first', async () => {
  const viewer = await newUser(db.database)
  const other = await newUser(db.database)
  const many = Array.from({ length: 3500 }, (_, index) => ({
    ...event,
    action: `event_${index}`,
    actorId: index % 3 === 0 ? other.id : viewer.id,
    // Both by and about the user, some of them.
    targetId: index % 2 === 0 || index % 3 === 0 ? viewer.id : 'thing',
    at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 2) * 1000),
  }))
  for (let start = 0; start < many.length; start += 500) {
    await db.database.insert(auditEvents).values(many.slice(start, start + 500))
  }
  const { events } = await (await download(viewer.token)).json()
  expect(events.map(({ action }: { action: string }) => action)).toEqual([
    'export_data',
    ...many.map(({ action }) => action).reverse(),
  ])
})

test('contains long lists of modules, and links and queued mail of the user', async () => {
  const viewer = await newUser(db.database)
  await db.database.insert(verificationTokens).values({
    tokenHash: Buffer.alloc(32, 7),
    purpose: 'reset_password',
    email: viewer.email,
    userId: viewer.id,
    expiresAt: new Date('2099-01-01'),
  })
  await db.database.insert(mailQueue).values({ purpose: 'reset_password', email: viewer.email })
  async function* numbers() {
    for (let number = 0; number < 20_000; number += 1) yield { number }
  }
  installModules([{ id: 'long', personalData: async () => ({ numbers: numbers() }) }])
  try {
    const data = await (await download(viewer.token)).json()
    expect(data.modules.long.numbers).toHaveLength(20_000)
    expect(data.modules.long.numbers[19_999]).toEqual({ number: 19_999 })
    expect(data.links).toMatchObject([{ purpose: 'reset_password', email: viewer.email }])
    expect(data.queuedMail).toMatchObject([{ purpose: 'reset_password', data: {} }])
  } finally {
    installModules(modules)
  }
})

test('returns 401 to an anonymous caller', async () => {
  const before = await snapshotDatabase(db.database)
  const response = await newClient().send(path)
  expect(response.status).toBe(401)
  expect(response.headers.get('content-disposition')).toBeNull()
  expect(await snapshotDatabase(db.database)).toBe(before)
})
