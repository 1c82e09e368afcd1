import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { Role } from '@/core/config/roles'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { Cursor } from '../cursor'
import type { Sort } from '../fields'
import { totalUsers, type UserFilter } from './count-users'
import { afterCursor, cursorAt, lowerName, orderBy, sortedUsers } from './user-order'
import { matches, matchesByIndex } from './user-search'

export type ListedUser = { id: string; email: string; name: string; role: Role; createdAt: Date }

export type ListOptions = UserFilter & { sort: Sort; cursor?: Cursor | undefined; limit: number }

type Page = { users: ListedUser[]; next: Cursor | undefined }

type UserRow = ListedUser & { lowerName: string }

/** How many rows a search scans first, and how many matches it sorts. */
const bounds = { window: 2000, candidates: 2000 }

/** One page. The time does not grow with the number of users. */
export async function listUsers(
  options: ListOptions,
  { window, candidates } = bounds,
): Promise<Page> {
  const { query, role, sort, limit } = options
  const found = query ? await search(query) : await inOrder(options).limit(limit + 1)
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    users: shown.map(asListed),
    next: found.length > limit && last ? cursorAt(sort, last) : undefined,
  }

  /**
   * Frequent matches are found by scanning in sort order, rare ones through the search index. The
   * matches in a first window tell which of the two is faster.
   */
  async function search(text: string): Promise<UserRow[]> {
    const [total, near] = await Promise.all([totalUsers(role), scan(options, text, window)])
    if (near.length > limit || total <= window) return near
    if (near.length >= minMatchesInWindow) {
      const far = await scan(options, text, 10 * window)
      if (far.length > limit) return far
    }
    return (await sortCandidates(options, text, candidates)) ?? scan(options, text)
  }
}

/** With fewer, sorting all matches costs less than scanning on. */
const minMatchesInWindow = 4

/** Scans in sort order from the cursor until the page is full or `maxRows` rows were read. */
function scan(options: ListOptions, text: string, maxRows?: number): Promise<UserRow[]> {
  const { sort, limit } = options
  const all = inOrder(options)
  const near = (maxRows ? all.limit(maxRows) : all).as('near')
  const found = database()
    .select({ id: near.id })
    .from(near)
    .where(matches(text, near.search))
    .orderBy(...orderBy(sort, near))
    .limit(limit + 1)
    .as('found')
  return database()
    .select(columns)
    .from(found)
    .innerJoin(users, eq(users.id, found.id))
    .orderBy(...orderBy(sort, sortedUsers))
}

/** All matches, sorted. Undefined if there are more than `max`. */
async function sortCandidates(
  { role, sort, cursor, limit }: ListOptions,
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
  const rows = await database()
    .with(found)
    .select({ count: counted.count, found: found._.selectedFields })
    .from(counted)
    .leftJoin(found, cursor ? afterCursor(cursor, found) : sql`true`)
    .orderBy(...orderBy(sort, found))
    .limit(limit + 1)
  if ((rows[0]?.count ?? 0) > max) return undefined
  return rows.flatMap(({ found }) => found ?? [])
}

function inOrder({ role, sort, cursor }: ListOptions) {
  return database()
    .select(columns)
    .from(users)
    .where(and(role && eq(users.role, role), cursor && afterCursor(cursor, sortedUsers)))
    .orderBy(...orderBy(sort, sortedUsers))
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
