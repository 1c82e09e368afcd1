import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { log } from '#log/log'
import { testDatabase } from '#testing/database/database'
import { captureLog } from '../support/log'

const db = testDatabase()

test('logs the message and the SQLSTATE of the database, and no parameter', async () => {
  const lines = captureLog()
  const failing = [
    db.database.execute(sql`select 1 / length(${'a-secret'}) / 0`),
    db.connection.query('select 1 / length($1) / 0', ['a-secret']),
  ]
  for (const result of await Promise.allSettled(failing)) {
    log().error({ err: result.status === 'rejected' && result.reason }, 'failed')
  }
  expect(lines()).toHaveLength(2)
  for (const { err } of lines()) {
    expect(err).toMatchObject({ message: 'division by zero', sqlState: '22012' })
  }
  expect(JSON.stringify(lines())).not.toContain('a-secret')
})
