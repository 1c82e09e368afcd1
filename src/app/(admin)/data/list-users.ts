import 'server-only'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Role } from '@/core/auth/roles'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import type { Cursor } from '../cursor'
import type { Sort } from '../fields'
import { type Filter, peopleOf } from './count-users'
import { behind, cursorAt, lowerName, orderBy, sortedUsers } from './user-order'
import { matches } from './user-search'

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
  const found = query ? await search(query) : await walk(wanted)
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    users: shown.map(({ id, email, name, role, createdAt }) => ({
      id,
      email,
      name,
      role,
      createdAt,
    })),
    next: found.length > limit && last ? cursorAt(sort, last) : undefined,
  }

  /**
   * A search either finds much, and then a few steps along the order find enough of it, or little,
   * and then the index of the search has all of it. Which of the two it is, nobody knows before.
   */
  async function search(text: string): Promise<Found[]> {
    const match = matches(text, sortedUsers)
    if ((await peopleOf(scope, role)) <= window) return walk(wanted, match)
    const near = await walkWindow(wanted, text, window)
    if (near.length > limit) return near
    return (await sortCandidates(wanted, match, candidates)) ?? walk(wanted, match)
  }
}

/** Along the order from the cursor on, until there are enough. */
function walk(wanted: Wanted, match?: SQL): Promise<Found[]> {
  return inOrder(wanted, match).limit(wanted.limit + 1)
}

/** The same, and no further than so many people. */
function walkWindow(wanted: Wanted, text: string, window: number): Promise<Found[]> {
  const near = inOrder(wanted).limit(window).as('near')
  return database()
    .select()
    .from(near)
    .where(matches(text, near))
    .orderBy(...orderBy(wanted.sort, near))
    .limit(wanted.limit + 1)
}

/** All who are found, put in order; undefined when they are too many for that. */
async function sortCandidates(
  { role, sort, cursor, limit }: Wanted,
  match: SQL | undefined,
  atMost: number,
): Promise<Found[] | undefined> {
  const found = database()
    .$with('found')
    .as(
      database()
        .select(columns)
        .from(users)
        .where(and(match, role && eq(users.role, role)))
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

function inOrder({ role, sort, cursor }: Wanted, match?: SQL) {
  return database()
    .select(columns)
    .from(users)
    .where(and(role && eq(users.role, role), cursor && behind(cursor, sortedUsers), match))
    .orderBy(...orderBy(sort, sortedUsers))
}

const columns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  lowerName: lowerName.as('lower_name'),
}
