import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { isUnreachable, sqlState } from '@/core/db/errors'
import { openPostgres } from '@/core/db/postgres'
import { freshDatabase, openPlace } from '../support/database'

test('a statement is given ten seconds and the pool its size, however many ask', async () => {
  const place = await freshDatabase()
  const connection = await openPlace(place, 3)
  const { database } = connection
  const one = sql`(select 1) as one`
  const [setting] = await database
    .select({ limit: sql<string>`current_setting('statement_timeout')` })
    .from(one)
  expect(setting?.limit).toBe('10s')
  const slow = Array.from({ length: 12 }, () =>
    database.select({ pid: sql<number>`pg_backend_pid()`, nap: sql`pg_sleep(0.05)` }).from(one),
  )
  const pids = new Set((await Promise.all(slow)).map(([row]) => row?.pid))
  expect(pids.size).toBeLessThanOrEqual(3)
  const late = database.execute(sql`set statement_timeout = 50; select pg_sleep(5)`)
  expect(await late.then(() => undefined, sqlState)).toBe('57014')
  await connection.close()
  await place.remove()
})

test('a server that is not there is known as away', async () => {
  const connection = openPostgres({ url: 'postgres://postgres@127.0.0.1:1/postgres', poolSize: 1 })
  const failed = await connection.ping().catch((error: unknown) => error)
  expect(isUnreachable(failed)).toBe(true)
  expect(isUnreachable(new Error('syntax error'))).toBe(false)
  await connection.close()
})
