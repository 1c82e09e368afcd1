import 'server-only'
import { connection, type Statement } from '@/core/db/client'
import {
  countsInDatabase,
  type Limit,
  limiterFor,
  readUses,
  type Uses,
} from '@/core/rate-limits/rate-limit'

/** Longer than an attempt takes. */
const slotSeconds = 5

type Attempt = {
  inFlight: number
  /** Of each limit. */
  uses: Uses[]
  /** Counts a use of each of the limits. */
  end(counted?: Limit[]): Promise<unknown>
}

/**
 * Counts an attempt until it ends, in all instances, and reads its limits. Counts belong to a slot of
 * time, and those of the last two slots are valid. So attempts of a process that died are forgotten
 * after seconds, and an attempt that ends late does not lower a later count.
 */
export async function startAttempt(key: string, limits: Limit[] = []): Promise<Attempt> {
  const slot = Math.floor(Date.now() / 1000 / slotSeconds)
  const current = attemptsIn(slot, key)
  const { changed, read } = await changeUses(
    [{ limit: current, by: 1 }],
    [attemptsIn(slot - 1, key), ...limits],
  )
  const [count = 0] = changed
  const [previous, ...uses] = read
  return {
    inFlight: count + Math.max(0, previous?.uses ?? 0),
    uses,
    end: (counted = []) =>
      changeUses([
        ...counted.map((limit) => ({ limit, by: 1 as const })),
        { limit: current, by: -1 },
      ]),
  }
}

/** Only counts: the caller decides how many are too many. */
function attemptsIn(slot: number, key: string): Limit {
  const rateLimit = { times: 1, seconds: 2 * slotSeconds }
  return { name: 'in-flight', rateLimit, key: `${key} ${slot}` }
}

/** A use that has happened, or one less, whether or not the limit is reached. */
type Change = { limit: Limit; by: 1 | -1 }

type Result = { changed: number[]; read: Uses[] }

/**
 * Changes some counts, then reads others. A concurrent attempt never sees a lowered count without the
 * raised ones that belong to it: PostgreSQL changes all of them in one statement, and the other stores
 * raise before they lower.
 */
export function changeUses(changes: Change[], read: Limit[] = []): Promise<Result> {
  return countsInDatabase() ? changeInDatabase(changes, read) : changeEach(changes, read)
}

async function changeEach(changes: Change[], read: Limit[]): Promise<Result> {
  const counts = new Map<Change, number>()
  for (const sign of [1, -1]) {
    const due = changes.filter(({ by }) => by === sign)
    await Promise.all(due.map(async (change) => counts.set(change, await changeOne(change))))
  }
  return {
    changed: changes.map((change) => counts.get(change) ?? 0),
    read: await Promise.all(read.map(readUses)),
  }
}

async function changeOne({ limit: { name, rateLimit, key }, by }: Change): Promise<number> {
  const limiter = limiterFor(name, rateLimit)
  const { consumedPoints } = await (by > 0 ? limiter.penalty(key) : limiter.reward(key))
  return consumedPoints
}

type Row = { key: string; points: number; expire: string }

/** Two statements if there is something to read: in one, the read would not see what it waited for. */
async function changeInDatabase(changes: Change[], read: Limit[]): Promise<Result> {
  const now = Date.now()
  const statements = [changeStatement(changes, now)]
  if (read.length > 0) statements.push(readStatement(read, now))
  const [changed, found] = await connection().queryInOrder(statements)
  const changedRows = byKey(changed)
  const readRows = byKey(found)
  return {
    changed: changes.map(({ limit }) => changedRows.get(storedKey(limit))?.points ?? 0),
    read: read.map((limit) => toUses(readRows.get(storedKey(limit)), now)),
  }
}

function byKey(result: { rows: readonly unknown[] } | undefined): Map<string, Row> {
  const rows = (result?.rows ?? []) as Row[]
  return new Map(rows.map((row) => [row.key, row]))
}

function changeStatement(changes: Change[], now: number): Statement {
  // In the order of their keys, so that concurrent statements do not deadlock.
  const rows = changes
    .map(({ limit, by }) => [storedKey(limit), by, now + limit.rateLimit.seconds * 1000] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const tuples = rows.map((_, index) => {
    const first = 2 + index * 3
    return `($${first}, $${first + 1}, $${first + 2})`
  })
  return {
    text: `insert into rate_limits as stored (key, points, expire) values ${tuples.join(', ')}
      on conflict (key) do update set
        points = excluded.points + case when stored.expire <= $1 then 0 else stored.points end,
        expire = case when stored.expire <= $1 then excluded.expire else stored.expire end
      returning key, points, expire`,
    values: [now, ...rows.flat()],
  }
}

function readStatement(limits: Limit[], now: number): Statement {
  const keys = limits.map((_, index) => `$${2 + index}`)
  return {
    text: `select key, points, expire from rate_limits
      where key in (${keys.join(', ')}) and expire > $1`,
    values: [now, ...limits.map(storedKey)],
  }
}

function toUses(row: Row | undefined, now: number): Uses {
  if (!row) return { uses: 0, seconds: 0 }
  return { uses: row.points, seconds: Math.ceil((Number(row.expire) - now) / 1000) }
}

/** As the limiter of that name stores it, which also deletes expired rows. */
function storedKey({ name, rateLimit, key }: Limit): string {
  return limiterFor(name, rateLimit).getKey(key)
}
