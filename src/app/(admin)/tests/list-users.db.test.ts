import { testDatabase } from '@tests/support/database'
import { signedInAs } from '@tests/support/signed-in-as'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { roles } from '@/core/auth/roles'
import { users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { cursorField, cursorText } from '../cursor'
import { totalOf } from '../data/count-users'
import { type ListedUser, listUsers, type Wanted } from '../data/list-users'
import { sorts } from '../fields'

const db = testDatabase()

let admin: SignedInScope
let everybody: ListedUser[]

const names = ['Ana', 'ANA', 'Zoë Ångström', '100% Sure', 'under_score', 'back\\slash', 'Ñandú']

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInAs(db.database, 'admin@example.com')
  const people = Array.from({ length: 300 }, (_, index) => ({
    email: `person-${index % 7}.${index}@${index % 3 ? 'example.com' : 'example.org'}`,
    name: `${names[index % names.length]}${index % 2 ? ` ${index}` : ''}`,
    role: roles[index % 11 === 0 ? 1 : 0],
    // Many at one moment, so that only the id tells them apart.
    createdAt: new Date(Date.UTC(2026, 0, 1 + (index % 5))),
  }))
  await db.database.insert(users).values(people)
  everybody = await db.database.select().from(users)
})

/** Small, so that three hundred people take every way that a million take. */
const everyBound = [
  { window: 2000, candidates: 2000 },
  { window: 20, candidates: 2000 },
  { window: 20, candidates: 10 },
]

async function allPages(wanted: Omit<Wanted, 'cursor'>, bounds: (typeof everyBound)[number]) {
  const seen: ListedUser[] = []
  let cursor: Wanted['cursor']
  do {
    const page = await listUsers(admin, { ...wanted, cursor }, bounds)
    expect(page.users.length).toBeLessThanOrEqual(wanted.limit)
    seen.push(...page.users)
    // As it goes through an address and comes back.
    cursor = page.next && cursorField.parse(cursorText(page.next))
  } while (cursor)
  return seen
}

function expected({ query = '', role }: { query?: string; role?: string }) {
  const text = query.toLowerCase()
  const isPart = /[\p{L}\p{N}]{3}/u.test(query)
  return everybody.filter((user) => {
    const fields = [user.email, user.name.toLowerCase()]
    const fits = fields.some((field) => (isPart ? field.includes(text) : field.startsWith(text)))
    return fits && (!role || user.role === role)
  })
}

const searches = ['son-3', 'ANA', 'example.org', '100%', 'under_', 'k\\slas', 'nobody at all', 'a']

describe.each(everyBound)('looking at $window, sorting $candidates', (bounds) => {
  test.each(sorts)('every page by %s, without a gap or a repetition', async (sort) => {
    for (const query of [undefined, ...searches]) {
      for (const role of [undefined, 'editor'] as const) {
        const seen = await allPages({ query, role, sort, limit: 24 }, bounds)
        const ids = seen.map(({ id }) => id)
        const wanted = expected({ ...(query && { query }), ...(role && { role }) })
        expect(ids.toSorted(), `${query} ${role}`).toEqual(wanted.map(({ id }) => id).toSorted())
      }
    }
  })

  test('the orders are what they are called', async () => {
    const times = async (sort: 'newest' | 'oldest') =>
      (await allPages({ sort, query: 'person', limit: 100 }, bounds)).map((user) =>
        user.createdAt.getTime(),
      )
    const newest = await times('newest')
    expect(newest).toEqual(newest.toSorted((a, b) => b - a))
    expect(await times('oldest')).toEqual(newest.toReversed())
    const byEmail = await allPages({ sort: 'email', query: 'person', limit: 100 }, bounds)
    const emails = byEmail.map(({ email }) => email)
    expect(emails[0]).toBe('person-0.0@example.org')
    expect(new Set(emails).size).toBe(300)
    const byName = await allPages({ sort: 'name', query: 'person', limit: 100 }, bounds)
    const anas = byName.filter(({ name }) => /^ana$/i.test(name)).map(({ name }) => name)
    // Capitals do not matter: the two ways of writing it stand together.
    const places = byName.flatMap(({ name }, index) => (/^ana$/i.test(name) ? [index] : []))
    expect(anas.length).toBeGreaterThan(10)
    expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBe(anas.length - 1)
  })
})

test('what means something to the database means nothing in a search', async () => {
  const wanted = { sort: 'newest', limit: 100 } as const
  for (const query of ['%%%', '___', '\\\\\\', "';--", '%', '_', '\\']) {
    expect((await listUsers(admin, { ...wanted, query })).users, query).toEqual([])
  }
  const found = await listUsers(admin, { ...wanted, query: '100% sure' })
  expect(found.users.length).toBeGreaterThan(10)
})

test('any text can be searched for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (query) => {
      // What a field with a NUL in it is refused for, before it gets here.
      if (query === '' || query.includes('\0')) return
      await listUsers(admin, { query, sort: 'name', limit: 5 }, { window: 20, candidates: 10 })
      await totalOf(admin, { query })
    }),
    { numRuns: 100 },
  )
})

test('the total is exact for all and for a role, and counted for a search', async () => {
  expect(await totalOf(admin, {})).toEqual({ count: 303, exact: true })
  const editors = expected({ role: 'editor' }).length
  expect(await totalOf(admin, { role: 'editor' })).toEqual({ count: editors, exact: true })
  const found = expected({ query: 'example.org' }).length
  expect(await totalOf(admin, { query: 'example.org' })).toEqual({ count: found, exact: true })
})

test.each([
  '',
  'x',
  '%',
  cursorText({ sort: 'newest', key: 'yesterday', id: crypto.randomUUID() }),
  cursorText({ sort: 'newest', key: '2026-02-30T00:00:00.000Zz', id: crypto.randomUUID() }),
  cursorText({ sort: 'name', key: 'x', id: 'not an id' }),
  cursorText({ sort: 'email', key: 'a\0b', id: crypto.randomUUID() }),
  Buffer.from('["email","x"]').toString('base64url'),
  Buffer.from('{}').toString('base64url'),
  Buffer.from('["king","x","y"]').toString('base64url'),
])('what is no cursor is told apart: %s', (text) => {
  expect(cursorField.safeParse(text).success).toBe(false)
})
