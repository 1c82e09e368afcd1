import { connection, type Statement } from '#db/client'
import {
  type Change,
  type Counts,
  hasPart,
  type Limit,
  maxWindowMs,
  storedKey,
  type Uses,
  usesOf,
  windowMs,
} from '#rate-limits/stored-count'

/** The time by the server's clock, in milliseconds since 1970. It is the same for all rows of a statement. */
const now = `(extract(epoch from statement_timestamp()) * 1000)::bigint`

/** Statements that wait for one row have different times. */
const slackMs = 60_000

type Row = { key: string; points: number; left: number }

export const postgresCounts: Counts = {
  /** All changes are one statement. What is read is another: it sees what the first waited for. */
  async change(changes, read = []) {
    const statements = [changeStatement(changes)]
    if (read.length > 0) statements.push(readStatement(read))
    const [changed, found] = await connection().queryInOrder(statements)
    const changedRows = byKey(changed)
    const readRows = byKey(found)
    return {
      changed: changes.map(({ limit }) => toUses(limit, changedRows)),
      read: read.map((limit) => toUses(limit, readRows)),
    }
  },
  async reset(limit) {
    await connection().query('delete from rate_limits where key = $1', [storedKey(limit)])
  },
  async clear(parts) {
    const { rows } = await connection().query('select key from rate_limits', [])
    const keys = (rows as { key: string }[]).map(({ key }) => key)
    const found = keys.filter((key) => hasPart(key, parts))
    for (const key of found) await connection().query(deleteCount, [key])
    return found.length
  },
}

const deleteCount = 'delete from rate_limits where key = $1'

/**
 * A count whose end has passed starts again, and so does one that ends later than its window allows: a
 * wrong clock has written it.
 */
function changeStatement(changes: Change[]): Statement {
  // In the order of their keys, so that concurrent statements do not deadlock.
  const rows = changes
    .map(({ limit, by }) => [storedKey(limit), by, windowMs(limit)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const tuples = rows.map((_, index) => {
    const [key, by, window] = [1, 2, 3].map((place) => `$${index * 3 + place}`)
    return `(${key}::text, ${by}::int, ${now} + ${window}::bigint)`
  })
  const isOver = `stored.expire <= ${now} or stored.expire > excluded.expire + ${slackMs}`
  return {
    text: `insert into rate_limits as stored (key, points, expire) values ${tuples.join(', ')}
      on conflict (key) do update set
        points = excluded.points + case when ${isOver} then 0 else stored.points end,
        expire = case when ${isOver} then excluded.expire else stored.expire end
      returning key, points, (expire - ${now})::float8 as left`,
    values: rows.flat(),
  }
}

function readStatement(limits: Limit[]): Statement {
  const tuples = limits.map((_, index) => `($${index * 2 + 1}::text, $${index * 2 + 2}::bigint)`)
  return {
    text: `select key, points, (expire - ${now})::float8 as left
      from (values ${tuples.join(', ')}) as wanted (key, window_ms) join rate_limits using (key)
      where expire > ${now} and expire <= ${now} + window_ms + ${slackMs}`,
    values: limits.flatMap((limit) => [storedKey(limit), windowMs(limit)]),
  }
}

function byKey(result: { rows: readonly unknown[] } | undefined): Map<string, Row> {
  const rows = (result?.rows ?? []) as Row[]
  return new Map(rows.map((row) => [row.key, row]))
}

function toUses(limit: Limit, rows: ReadonlyMap<string, Row>): Uses {
  const row = rows.get(storedKey(limit))
  return row ? usesOf(limit, row.points, row.left) : { uses: 0, seconds: 0 }
}

/** Also those that end later than any limit allows. */
export async function deleteExpiredCounts(max: number): Promise<number> {
  const { rows } = await connection().query(
    `delete from rate_limits where key in (
       select key from rate_limits
       where expire <= ${now} or expire > ${now} + ${maxWindowMs + slackMs}
       limit $1 for update skip locked
     ) returning key`,
    [max],
  )
  return rows.length
}
