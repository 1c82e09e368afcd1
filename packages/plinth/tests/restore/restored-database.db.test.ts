import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { prepareRestoredDatabase } from '#auth/accounts/users'
import { ChangeLog } from '#db/change-log'
import { deleteReadChanges } from '#db/change-log-sweep'
import { rowsOf } from '#db/client'
import {
  auditEvents,
  jobs,
  mailQueue,
  sessions,
  users,
  verificationPurposes,
  verificationTokens,
} from '#db/schema'
import { onPostgres, testDatabase } from '#testing/database/database'

const tested = testDatabase()
let userId: string

beforeEach(async () => {
  const [user] = await tested.database
    .insert(users)
    .values({ email: `${randomBytes(4).toString('hex')}@example.com`, name: 'User' })
    .returning()
  userId = user?.id ?? ''
  const later = sql<Date>`now() + interval '1 hour'`
  await tested.database.insert(sessions).values([
    { userId, tokenHash: randomBytes(32), expiresAt: later },
    { userId, tokenHash: randomBytes(32), expiresAt: later },
  ])
  await tested.database.insert(verificationTokens).values(
    verificationPurposes.map((purpose) => ({
      purpose,
      userId,
      email: user?.email ?? '',
      tokenHash: randomBytes(32),
      expiresAt: later,
    })),
  )
  await tested.database.insert(mailQueue).values({ purpose: 'sign_up', email: user?.email ?? '' })
  await tested.database.insert(jobs).values({ name: 'kept', data: { userId } })
})

const rows = {
  sessions: () => tested.database.$count(sessions),
  mail: () => tested.database.$count(mailQueue),
  jobs: () => tested.database.$count(jobs),
  links: async () => {
    const purpose = verificationTokens.purpose
    const found = await tested.database.select({ purpose }).from(verificationTokens)
    return found.map((link) => link.purpose)
  },
}

const lastEvent = async () =>
  (await tested.database.select().from(auditEvents).orderBy(sql`id desc`).limit(1))[0]

test('nothing that was revoked, used or sent comes back, and users and jobs stay', async () => {
  const onRestore = vi.fn(async () => 5)
  const before = await tested.database.$count(users)
  const deleted = await prepareRestoredDatabase([{ onRestore }, {}])
  expect(deleted).toEqual({ sessions: 2, links: 3 + 5, mail: 1 })
  expect(await rows.sessions()).toBe(0)
  expect(await rows.mail()).toBe(0)
  expect(await rows.links()).toEqual([])
  expect(await rows.jobs()).toBe(1)
  expect(await tested.database.$count(users)).toBe(before)
  expect(onRestore).toHaveBeenCalledTimes(1)
  expect(await lastEvent()).toMatchObject({
    action: 'restore_database',
    outcome: 'success',
    ip: 'command line',
    details: deleted,
  })
})

test('it can be repeated', async () => {
  await prepareRestoredDatabase([])
  expect(await prepareRestoredDatabase([])).toEqual({ sessions: 0, links: 0, mail: 0 })
})

test('if a module fails, nothing is deleted and nothing recorded', async () => {
  const before = [await rows.sessions(), await rows.mail(), (await rows.links()).length]
  const event = await lastEvent()
  const onRestore = () => Promise.reject(new Error('cannot'))
  await expect(prepareRestoredDatabase([{ onRestore }])).rejects.toThrow('cannot')
  expect([await rows.sessions(), await rows.mail(), (await rows.links()).length]).toEqual(before)
  expect(await lastEvent()).toEqual(event)
})

const foreignXid = '9000000000000'

if (onPostgres)
  test('the change log of another server is replaced', async () => {
    const { database, connection } = tested
    await database.execute(sql`insert into change_log (xid, change)
    values (${foreignXid}::xid8, 'u1'), (pg_current_xact_id(), 'u2')`)
    await database.execute(sql`update change_log_sweep
    set swept_below = ${foreignXid}::xid8, next_boundary = ${foreignXid}::xid8`)
    const apply = vi.fn()
    const reset = vi.fn()
    const log = new ChangeLog({ apply, reset }, connection.queryPipelined)
    await log.catchUp()
    reset.mockClear()
    await log.catchUp()
    // Nothing can be cached: each poll finds the numbers of the other server.
    expect(reset).toHaveBeenCalledTimes(1)

    await prepareRestoredDatabase([])
    reset.mockClear()
    await log.catchUp()
    expect(reset.mock.calls.length + apply.mock.calls.length).toBeGreaterThan(0)
    reset.mockClear()
    apply.mockClear()
    await log.catchUp()
    expect(reset).not.toHaveBeenCalled()
    expect(apply).not.toHaveBeenCalled()
    log.end()

    await database.execute(sql`update change_log_sweep set swept_at = now() - interval '1 hour'`)
    await deleteReadChanges(500)
    const left = await database.execute(sql`select count(*)::int as count from change_log
    where xid >= ${foreignXid}::xid8`)
    expect(rowsOf<{ count: number }>(left)).toEqual([{ count: 0 }])
  })
