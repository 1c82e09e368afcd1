import fc from 'fast-check'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { users } from 'plinth/db/schema'
import { testDatabase } from 'plinth/testing'
import { roles } from 'plinth/universal/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { cursorField, encodeCursor } from '../../cursor'
import { countUsers } from '../../data/count-users'
import { findUsers, type ListedUser, type ListOptions } from '../../data/list-users'
import { sorts } from '../../fields'

const db = testDatabase()

let allUsers: ListedUser[]

const names = ['Ana', 'ANA', 'Zoë Ångström', '100% Sure', 'under_score', 'back\\slash', 'Ñandú']

beforeAll(async () => {
  await createDemoAccounts(db.database)
  const newUsers = Array.from({ length: 300 }, (_, index) => ({
    email: `member-${index % 7}.${index}@${index % 3 ? 'example.com' : 'example.org'}`,
    name: `${names[index % names.length]}${index % 2 ? ` ${index}` : ''}`,
    role: roles[index % 11 === 0 ? 1 : 0],
    // Many share one time, so that only the id distinguishes them.
    createdAt: new Date(Date.UTC(2026, 0, 1 + (index % 5))),
  }))
  await db.database.insert(users).values(newUsers)
  allUsers = await db.database.select().from(users)
})

/** Small bounds, so that 300 users reach every branch. */
const allBounds = [
  { window: 2000, candidates: 2000 },
  { window: 20, candidates: 2000 },
  { window: 20, candidates: 10 },
]

async function allPages(options: Omit<ListOptions, 'cursor'>, bounds: (typeof allBounds)[number]) {
  const seen: ListedUser[] = []
  let cursor: ListOptions['cursor']
  do {
    const page = await findUsers({ ...options, cursor }, bounds)
    expect(page.users.length).toBeLessThanOrEqual(options.limit)
    seen.push(...page.users)
    // As the URL carries it.
    cursor = page.next && cursorField.parse(encodeCursor(page.next))
  } while (cursor)
  return seen
}

function expected({ query = '', role }: { query?: string; role?: string }) {
  const text = query.toLowerCase()
  const isPart = /[\p{L}\p{N}]{3}/u.test(query)
  return allUsers.filter((user) => {
    const fields = [user.email, user.name.toLowerCase()]
    const matches = fields.some((field) => (isPart ? field.includes(text) : field.startsWith(text)))
    return matches && (!role || user.role === role)
  })
}

const searches = ['ber-3', 'ANA', 'example.org', '100%', 'under_', 'k\\slas', 'no such user', 'a']

describe.each(allBounds)('scanning $window rows, sorting $candidates', (bounds) => {
  test.each(sorts)('pages by %s without gaps or repetitions', async (sort) => {
    for (const query of [undefined, ...searches]) {
      for (const role of [undefined, 'editor'] as const) {
        const seen = await allPages({ query, role, sort, limit: 24 }, bounds)
        const ids = seen.map(({ id }) => id)
        const users = expected({ ...(query && { query }), ...(role && { role }) })
        expect(ids.toSorted(), `${query} ${role}`).toEqual(users.map(({ id }) => id).toSorted())
      }
    }
  })

  test('sorts by date, email and name', async () => {
    const times = async (sort: 'newest' | 'oldest') =>
      (await allPages({ sort, query: 'member', limit: 100 }, bounds)).map((user) =>
        user.createdAt.getTime(),
      )
    const newest = await times('newest')
    expect(newest).toEqual(newest.toSorted((a, b) => b - a))
    expect(await times('oldest')).toEqual(newest.toReversed())
    const byEmail = await allPages({ sort: 'email', query: 'member', limit: 100 }, bounds)
    const emails = byEmail.map(({ email }) => email)
    expect(emails[0]).toBe('member-0.0@example.org')
    expect(new Set(emails).size).toBe(300)
    const byName = await allPages({ sort: 'name', query: 'member', limit: 100 }, bounds)
    const anas = byName.filter(({ name }) => /^ana$/i.test(name)).map(({ name }) => name)
    // Case does not matter: both spellings are adjacent.
    const positions = byName.flatMap(({ name }, index) => (/^ana$/i.test(name) ? [index] : []))
    expect(anas.length).toBeGreaterThan(10)
    expect((positions.at(-1) ?? 0) - (positions[0] ?? 0)).toBe(anas.length - 1)
  })
})

test('treats LIKE wildcards and quotes as text', async () => {
  const options = { sort: 'newest', limit: 100 } as const
  for (const query of ['%%%', '___', '\\\\\\', "';--", '%', '_', '\\']) {
    expect((await findUsers({ ...options, query })).users, query).toEqual([])
  }
  const found = await findUsers({ ...options, query: '100% sure' })
  expect(found.users.length).toBeGreaterThan(10)
})

test('accepts any search text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (query) => {
      // The schema rejects both before the query.
      if (query === '' || query.includes('\0')) return
      await findUsers({ query, sort: 'name', limit: 5 }, { window: 20, candidates: 10 })
      await countUsers({ query })
    }),
    { numRuns: 100 },
  )
})

test('counts all users, users of a role and matches of a search', async () => {
  expect(await countUsers({})).toEqual({ count: 303, exact: true })
  const editors = expected({ role: 'editor' }).length
  expect(await countUsers({ role: 'editor' })).toEqual({ count: editors, exact: true })
  const found = expected({ query: 'example.org' }).length
  expect(await countUsers({ query: 'example.org' })).toEqual({ count: found, exact: true })
})

test.each([
  '',
  'x',
  '%',
  encodeCursor({ direction: 'next', sort: 'newest', key: 'invalid', id: crypto.randomUUID() }),
  encodeCursor({
    direction: 'next',
    sort: 'newest',
    key: '2026-02-30T00:00:00.000Zz',
    id: crypto.randomUUID(),
  }),
  encodeCursor({ direction: 'next', sort: 'name', key: 'x', id: 'not a UUID' }),
  encodeCursor({ direction: 'next', sort: 'email', key: 'a\0b', id: crypto.randomUUID() }),
  Buffer.from('["email","x"]').toString('base64url'),
  Buffer.from('{}').toString('base64url'),
  Buffer.from('["unknown","x","y"]').toString('base64url'),
])('rejects the invalid cursor %s', (text) => {
  expect(cursorField.safeParse(text).success).toBe(false)
})
