import { eq, type SQL, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveUser } from '#auth/accounts/deleted-accounts/archive'
import { eraseArchives } from '#auth/accounts/deleted-accounts/erasure'
import { restoreUser } from '#auth/accounts/deleted-accounts/restore'
import { createSession } from '#auth/sessions/session'
import { type Database, rowsOf } from '#db/client'
import {
  accounts,
  deletedAccountRows,
  mailQueue,
  passwords,
  sessions,
  users,
  verificationTokens,
} from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { createFixtures, rowsOfTables } from '../../support/archived-fixtures'

const db = testDatabase()

const tables = [
  'users',
  'passwords',
  'accounts',
  'fixture_projects',
  'fixture_tasks',
  'fixture_comments',
  'fixture_pages',
]

const owner = '11111111-1111-4111-8111-111111111111'
const other = '22222222-2222-4222-8222-222222222222'
const reply = '33333333-3333-4333-8333-333333333333'

const run = (statement: string) => db.database.execute(sql.raw(statement))

beforeAll(() => createFixtures(db.database))

beforeEach(async () => {
  await db.database.insert(users).values([
    { id: owner, email: 'owner@example.com', name: 'Ｏwner “Ünï”', timeZone: 'Asia/Tokyo' },
    { id: other, email: 'other@example.com', name: 'Other', role: 'admin' },
  ])
  await db.database.insert(passwords).values({ userId: owner, hash: '$argon2id$of-the-owner' })
  await db.database
    .insert(accounts)
    .values({ provider: 'github', providerAccountId: '7', userId: owner })
  await run(`insert into fixture_projects (owner_id, "Name, quoted", state, tags, matrix, secret,
    notes, settings, price, ratio, at, local_time, span, period) values
    ('${owner}', E'It''s "A", \\\\ and a line\\nbreak', 'done', array['a,b', null, '{"x"}', ''],
      '{{1,2},{3,null}}', '\\x00ff5c22', '{"b": 1, "a":  1.50, "a": "\\u0000"}', '{"big": 12345678901234567890.5}',
      123456789012345678901234567890.000, 0.1::float8 + 0.2::float8, '2026-02-03 04:05:06.789012+00',
      'infinity', '1 mon -2 days 03:04:05.678901', '[2026-01-01,)'),
    ('${owner}', 'Empty', default, '{}', null, '', null, 'null', 'NaN', '-Infinity', '-infinity', null, null, 'empty'),
    ('${other}', 'Theirs', default, null, null, null, null, null, null, null, null, null, null, null)`)
  const [first = 0, , theirs = 0] = await projectIds()
  // The child comes before its parent.
  await run(`insert into fixture_tasks (project_id, number, parent, title, assignee_id) values
    (${first}, 1, 3, 'Child', '${other}'), (${first}, 2, 2, 'Of itself', '${owner}'),
    (${first}, 3, 2, 'Parent', null), (${theirs}, 1, null, 'Theirs', '${owner}')`)
  await run(`update fixture_projects set current_task = 3 where id = ${first}`)
  await run(`insert into fixture_comments (id, project_id, task, author_id, reply_to, text) values
    ('${reply}', ${first}, 1, '${other}', null, 'By another user'),
    (gen_random_uuid(), ${theirs}, 1, '${owner}', '${reply}', 'At another user'),
    (gen_random_uuid(), ${theirs}, 1, null, '${reply}', 'Stays')`)
  await run(`insert into fixture_pages values
    (1, '${owner}', '${owner}', '${reply}'), (2, '${owner}', null, null), (3, '${other}', null, null)`)
})

afterEach(async () => {
  await run('delete from fixture_pages')
  await run('delete from fixture_projects')
  await run(`insert into users (email, name, role) values ('last-admin@example.com', 'Last', 'admin')
    on conflict do nothing`)
  await db.database.delete(users).where(sql`email <> 'last-admin@example.com'`)
  await db.database.delete(deletedAccountRows)
})

const projectIds = async () =>
  rowsOf<{ id: string }>(
    await db.database.execute(sql`select id::text from fixture_projects order by id`),
  ).map(({ id }) => Number(id))

const later = () => new Date(Date.now() + 60 * 60 * 1000)

const inTransaction = <Result>(work: (transaction: Database) => Promise<Result>) =>
  db.database.transaction(work)

const archive = (eraseAt = later()) => inTransaction((tx) => archiveUser(tx, owner, eraseAt))

const restore = (changes?: { email: string }) =>
  inTransaction((tx) => restoreUser(tx, owner, changes))

const rows = () => rowsOfTables(db.database, tables)

const usersByRole = async (condition: SQL) =>
  rowsOf<{ sum: number }>(
    await db.database.execute(
      sql`select coalesce(sum(change), 0)::integer as sum from user_counts where ${condition}`,
    ),
  )[0]?.sum

test('a restored account has every row as it was, with the same ids', async () => {
  const before = await rows()
  const counted = await usersByRole(sql`role = 'viewer'`)
  expect(await archive()).toBe(true)
  const gone = await rows()
  expect(JSON.stringify(gone)).not.toContain(owner)
  expect(gone.fixture_tasks).toHaveLength(1)
  expect(gone.fixture_comments).toHaveLength(1)
  expect(gone.fixture_pages).toEqual(['(1,,,)', '(2,,,)', `(3,${other},,)`])
  expect(await usersByRole(sql`role = 'viewer'`)).toBe(Number(counted) - 1)
  expect(await restore()).toEqual({ outcome: 'restored', leftOut: [] })
  expect(await rows()).toEqual(before)
  expect(await usersByRole(sql`role = 'viewer'`)).toBe(counted)
  expect(await db.database.$count(deletedAccountRows)).toBe(0)
})

test('the next generated id follows those that were restored', async () => {
  await archive()
  await restore()
  const taken = await projectIds()
  await run(`insert into fixture_projects (owner_id, "Name, quoted") values ('${other}', 'New')`)
  expect(Math.max(...(await projectIds()))).toBeGreaterThan(Math.max(...taken))
})

test('sessions, links and queued mail do not come back', async () => {
  const [user] = await db.database.select().from(users).where(eq(users.id, owner))
  if (!user) throw new Error('There is no user.')
  await createSession(db.database, user, { ip: '::1', userAgent: undefined }, { by: 'password' })
  const email = user.email
  const expiresAt = later()
  const link = { tokenHash: Buffer.alloc(32), email, userId: owner, expiresAt }
  await db.database.insert(verificationTokens).values({ ...link, purpose: 'reset_password' })
  await db.database.insert(mailQueue).values({ purpose: 'password_changed', email })
  await archive()
  await restore()
  const byTable = await rowsOfTables(db.database, ['sessions', 'verification_tokens', 'mail_queue'])
  expect(byTable).toEqual({ sessions: [], verification_tokens: [], mail_queue: [] })
  expect(await db.database.$count(sessions)).toBe(0)
})

test('an unknown user is neither archived nor restored', async () => {
  const unknown = crypto.randomUUID()
  const before = await rows()
  expect(await inTransaction((tx) => archiveUser(tx, unknown, later()))).toBe(false)
  expect(await restore()).toEqual({ outcome: 'not_archived' })
  expect(await rows()).toEqual(before)
  expect(await db.database.$count(deletedAccountRows)).toBe(0)
})

test('the last admin is not archived, and nothing is stored', async () => {
  await db.database.delete(users).where(eq(users.email, 'last-admin@example.com'))
  const before = await rows()
  await expect(inTransaction((tx) => archiveUser(tx, other, later()))).rejects.toThrow()
  expect(await rows()).toEqual(before)
  expect(await db.database.$count(deletedAccountRows)).toBe(0)
})

test('an account can be deleted and restored again', async () => {
  const before = await rows()
  for (let times = 0; times < 2; times += 1) {
    await archive()
    expect(await restore()).toEqual({ outcome: 'restored', leftOut: [] })
  }
  expect(await rows()).toEqual(before)
})

describe('what has changed in the meantime', () => {
  test('a row whose unique key is taken is left out with those that refer to it', async () => {
    const before = await rows()
    const [first] = await projectIds()
    await archive()
    await db.database
      .insert(accounts)
      .values({ provider: 'github', providerAccountId: '7', userId: other })
    await run(`insert into fixture_projects (id, owner_id, "Name, quoted") overriding system value
      values (${first}, '${other}', 'Has the id now')`)
    const taken = await rows()
    expect(await restore()).toEqual({
      outcome: 'restored',
      leftOut: [
        { table: 'accounts', rows: 1 },
        { table: 'fixture_comments', rows: 1 },
        { table: 'fixture_projects', rows: 1 },
        { table: 'fixture_tasks', rows: 3 },
      ],
    })
    const after = await rows()
    expect(after.accounts).toEqual(taken.accounts)
    expect(after.fixture_projects).toHaveLength(3)
    expect(after.fixture_projects).toEqual(expect.arrayContaining(taken.fixture_projects ?? []))
    expect(after.users).toEqual(before.users)
    expect(after.passwords).toEqual(before.passwords)
    // The comment that page 1 had pinned is not there, but its editor is.
    expect(after.fixture_pages?.[0]).toBe(`(1,${owner},${owner},)`)
    expect(await db.database.$count(deletedAccountRows)).toBe(0)
  })

  test('a row that refers to a deleted row of another user is left out', async () => {
    await archive()
    await run(`delete from fixture_projects where owner_id = '${other}'`)
    expect(await restore()).toEqual({
      outcome: 'restored',
      leftOut: [{ table: 'fixture_comments', rows: 1 }],
    })
  })

  test('a reference that was set to another row stays, and a deleted row stays deleted', async () => {
    await archive()
    await run(`update fixture_pages set editor_id = '${other}' where id = 1`)
    await run('delete from fixture_pages where id = 2')
    await restore()
    expect((await rows()).fixture_pages).toEqual([
      `(1,${other},${owner},${reply})`,
      `(3,${other},,)`,
    ])
  })

  test('a reference that a unique index refuses stays null, and the others are set', async () => {
    await run(`alter table fixture_pages add column place integer, add unique (editor_id, place)`)
    await run(`update fixture_pages set place = id`)
    try {
      await archive()
      // Without an editor, both may have the place.
      await run(`update fixture_pages set place = 1`)
      await run(`insert into fixture_pages (id, place) values (4, 1)`)
      expect(await restore()).toMatchObject({ outcome: 'restored' })
      const editors = (await rows()).fixture_pages?.map((row) => row.split(',')[1])
      expect(editors?.toSorted()).toEqual(['', '', owner, other])
    } finally {
      await run(`alter table fixture_pages drop column place`)
    }
  })

  test('an email that another account has is reported, and nothing changes', async () => {
    const before = await rows()
    await archive()
    await run(`update users set email = 'owner@example.com' where id = '${other}'`)
    const taken = await rows()
    expect(await restore()).toEqual({ outcome: 'email_taken' })
    expect(await restore({ email: 'owner@example.com' })).toEqual({ outcome: 'email_taken' })
    expect(await rows()).toEqual(taken)
    expect(await restore({ email: 'new@example.com' })).toMatchObject({ outcome: 'restored' })
    const after = await rows()
    expect(after.fixture_tasks).toEqual(before.fixture_tasks)
    expect(after.users?.join()).toContain('new@example.com')
  })

  test('a column that a migration has dropped is ignored, and an added one has its default', async () => {
    await archive()
    await run('alter table fixture_pages rename to fixture_leaves')
    await run(`alter table fixture_projects drop column ratio,
      add column added text not null default 'by a migration'`)
    try {
      expect(await restore()).toEqual({ outcome: 'restored', leftOut: [] })
      const [row] = rowsOf<{ added: string }>(
        await db.database.execute(
          sql`select added from fixture_projects where owner_id = ${owner} limit 1`,
        ),
      )
      expect(row?.added).toBe('by a migration')
    } finally {
      await run('alter table fixture_leaves rename to fixture_pages')
      await run(`alter table fixture_projects drop column added, add column ratio float8`)
    }
  })
})

describe('after its time', () => {
  const past = () => new Date(Date.now() - 60 * 60 * 1000)

  test('an archive is erased in batches, and others stay', async () => {
    await archive(past())
    const due = await db.database.$count(deletedAccountRows)
    await run(`insert into users (email, name, role) values ('x@example.com', 'X', 'admin')`)
    await inTransaction((tx) => archiveUser(tx, other, later()))
    const kept = (await db.database.$count(deletedAccountRows)) - due
    expect(kept).toBeGreaterThan(0)
    expect(await eraseArchives(due - 1)).toBe(due - 1)
    expect(await eraseArchives(due - 1)).toBe(1)
    expect(await eraseArchives()).toBe(0)
    expect(await db.database.$count(deletedAccountRows)).toBe(kept)
  })

  test('an archive is not restored, though it is not erased yet', async () => {
    await archive(past())
    const before = await rows()
    expect(await restore()).toEqual({ outcome: 'not_archived' })
    expect(await rows()).toEqual(before)
  })
})
