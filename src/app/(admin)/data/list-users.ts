import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { Role } from '@/core/auth/roles'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import type { Cursor } from '../cursor'
import type { Sort } from '../fields'
import { type Filter, peopleOf } from './count-users'
import { behind, cursorAt, lowerName, orderBy, sortedUsers } from './user-order'
import { matches, matchesByIndex } from './user-search'

export type ListedUser = { id: string; email: string; name: string; role: Role; createdAt: Date }

export type Wanted = Filter & { sort: Sort; cursor?: Cursor | undefined; limit: number }

type Page = { users: ListedUser[]; next: Cursor | undefined }

type Found = ListedUser & { lowerName: string }

/** How many are looked at one by one, and how many found ones are sorted; more are neither. */
const bounds = { window: 2000, candidates: 2000 }

/** One page, in the time that it takes whether there are a thousand people or a million. */
export async function listUsers(
  scope: SignedInScope,
  wanted: Wanted,
  { window, candidates } = bounds,
): Promise<Page> {
  const { query, role, sort, limit } = wanted
  const found = query ? await search(query) : await inOrder(wanted).limit(limit + 1)
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    users: shown.map(asListed),
    next: found.length > limit && last ? cursorAt(sort, last) : undefined,
  }

  /**
   * A search either finds much, and then some steps along the order find enough of it, or little,
   * and then the index of the search has all of it. A few steps tell which of the two it will be.
   */
  async function search(text: string): Promise<Found[]> {
    if ((await peopleOf(scope, role)) <= window) return walk(wanted, text)
    const near = await walk(wanted, text, window)
    if (near.length > limit) return near
    if (near.length >= fewInWindow) {
      const far = await walk(wanted, text, 10 * window)
      if (far.length > limit) return far
    }
    return (await sortCandidates(wanted, text, candidates)) ?? walk(wanted, text)
  }
}

/** Found this seldom, there are so few that to put them all in order is less work than to go on. */
const fewInWindow = 4

/** Along the order from the cursor on, until there are enough or that many were looked at. */
function walk(wanted: Wanted, text: string, steps?: number): Promise<Found[]> {
  const { sort, limit } = wanted
  const all = inOrder(wanted)
  const near = (steps ? all.limit(steps) : all).as('near')
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

/** All who are found, put in order; undefined when they are too many for that. */
async function sortCandidates(
  { role, sort, cursor, limit }: Wanted,
  text: string,
  atMost: number,
): Promise<Found[] | undefined> {
  const found = database()
    .$with('found')
    .as(
      database()
        .select(columns)
        .from(users)
        .where(and(matchesByIndex(text), role && eq(users.role, role)))
        .limit(atMost + 1),
    )
  const counted = database()
    .select({ count: sql<number>`count(*)`.mapWith(Number).as('count') })
    .from(found)
    .as('counted')
  const rows = await database()
    .with(found)
    .select({ count: counted.count, found: found._.selectedFields })
    .from(counted)
    .leftJoin(found, cursor ? behind(cursor, found) : sql`true`)
    .orderBy(...orderBy(sort, found))
    .limit(limit + 1)
  if ((rows[0]?.count ?? 0) > atMost) return undefined
  return rows.flatMap(({ found }) => found ?? [])
}

function inOrder({ role, sort, cursor }: Wanted) {
  return database()
    .select(columns)
    .from(users)
    .where(and(role && eq(users.role, role), cursor && behind(cursor, sortedUsers)))
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

function asListed({ id, email, name, role, createdAt }: Found): ListedUser {
  return { id, email, name, role, createdAt }
}
