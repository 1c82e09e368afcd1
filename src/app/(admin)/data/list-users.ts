import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { type Cursor, keyset, readPage } from 'plinth/db/list'
import { users } from 'plinth/db/schema'
import type { Role } from 'plinth/universal/users'
import type { UserCursor } from '../cursor'
import type { Sort } from '../fields'
import { totalUsers, type UserFilter } from './count-users'
import { lowerName, sortKey, userOrder } from './user-order'
import { matches, matchesByIndex } from './user-search'

export type ListedUser = { id: string; email: string; name: string; role: Role; createdAt: Date }

export type ListOptions = UserFilter & {
  sort: Sort
  cursor?: UserCursor | undefined
  limit: number
}

type Page = {
  users: ListedUser[]
  next: UserCursor | undefined
  previous: UserCursor | undefined
}

type UserRow = ListedUser & { lowerName: string }

/** The rows to read. `limit` is one more than the page, to tell whether there are more. */
type Range = Omit<UserFilter, 'query'> & { sort: Sort; cursor: Cursor | undefined; limit: number }

/** How many rows a search scans first, and how many matches it sorts. */
const defaultBounds = { window: 2000, candidates: 2000 }

/** One page. The time does not grow with the number of users. */
export async function findUsers(
  { query, role, sort, cursor, limit }: ListOptions,
  bounds = defaultBounds,
): Promise<Page> {
  const keyOf = (row: UserRow) => sortKey(sort, row)
  const { rows, next, previous } = await readPage(
    { order: userOrder(sort), cursor, limit, keyOf },
    ({ cursor, limit }) => {
      const range = { role, sort, cursor, limit }
      return query ? search(range, query, bounds) : inOrder(range).limit(limit)
    },
  )
  return {
    users: rows.map(asListed),
    next: next && { ...next, sort },
    previous: previous && { ...previous, sort },
  }
}

/**
 * Frequent matches are found by scanning in sort order, rare ones through the search index. The
 * matches in a first window tell which of the two is faster.
 */
async function search(
  range: Range,
  text: string,
  { window, candidates }: typeof defaultBounds,
): Promise<UserRow[]> {
  const { role, limit } = range
  const [total, near] = await Promise.all([totalUsers(role), scan(range, text, window)])
  if (near.length >= limit || total <= window) return near
  if (near.length >= minMatchesInWindow) {
    const far = await scan(range, text, 10 * window)
    if (far.length >= limit) return far
  }
  return (await sortCandidates(range, text, candidates)) ?? scan(range, text)
}

/** With fewer, sorting all matches costs less than scanning on. */
const minMatchesInWindow = 4

/** Scans in sort order from the cursor until the page is full or `maxRows` rows were read. */
function scan(range: Range, text: string, maxRows?: number): Promise<UserRow[]> {
  const { sort, cursor, limit } = range
  const all = inOrder(range)
  const near = (maxRows ? all.limit(maxRows) : all).as('near')
  const found = database()
    .select({ id: near.id })
    .from(near)
    .where(matches(text, near.search))
    .orderBy(...keyset(userOrder(sort, near), cursor).orderBy)
    .limit(limit)
    .as('found')
  return database()
    .select(columns)
    .from(found)
    .innerJoin(users, eq(users.id, found.id))
    .orderBy(...keyset(userOrder(sort), cursor).orderBy)
}

/** All matches, sorted. Undefined if there are more than `max`. */
async function sortCandidates(
  { role, sort, cursor, limit }: Range,
  text: string,
  max: number,
): Promise<UserRow[] | undefined> {
  const found = database()
    .$with('found')
    .as(
      database()
        .select(columns)
        .from(users)
        .where(and(matchesByIndex(text), role && eq(users.role, role)))
        .limit(max + 1),
    )
  const counted = database()
    .select({ count: sql<number>`count(*)`.mapWith(Number).as('count') })
    .from(found)
    .as('counted')
  const { where, orderBy } = keyset(userOrder(sort, found), cursor)
  const rows = await database()
    .with(found)
    .select({ count: counted.count, found: found._.selectedFields })
    .from(counted)
    .leftJoin(found, where ?? sql`true`)
    .orderBy(...orderBy)
    .limit(limit)
  if ((rows[0]?.count ?? 0) > max) return undefined
  return rows.flatMap(({ found }) => found ?? [])
}

function inOrder({ role, sort, cursor }: Range) {
  const { where, orderBy } = keyset(userOrder(sort), cursor)
  return database()
    .select(columns)
    .from(users)
    .where(and(role && eq(users.role, role), where))
    .orderBy(...orderBy)
    .$dynamic()
}

const columns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  lowerName: lowerName.as('lower_name'),
  search: users.search,
}

function asListed({ id, email, name, role, createdAt }: UserRow): ListedUser {
  return { id, email, name, role, createdAt }
}
