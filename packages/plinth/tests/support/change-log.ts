import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, vi } from 'vitest'
import { ChangeLog } from '#db/change-log'
import { connection, setConnection } from '#db/client'
import { testDatabase } from '#testing/database/database'

type Options = ConstructorParameters<typeof ChangeLog>

/** A database with one user. Logs end after each test. */
export function testChangeLog() {
  const tested = testDatabase()
  const user = randomUUID()
  const logs: ChangeLog[] = []

  beforeAll(async () => {
    await tested.connection.query(
      `insert into users (id, email, name) values ($1, 'user@example.com', 'User')`,
      [user],
    )
  })

  afterEach(() => {
    vi.useRealTimers()
    for (const log of logs.splice(0)) log.end()
    setConnection(tested.connection)
  })

  function createLog(...options: Options): ChangeLog {
    const log = new ChangeLog(...options)
    logs.push(log)
    return log
  }

  /** A log that has read everything so far, and the statements that it sends. */
  async function openLog({ connectionIds = true } = {}) {
    const changes: string[] = []
    const statements: string[] = []
    const reset = vi.fn(() => changes.splice(0))
    const log = createLog(
      { apply: (change) => changes.push(change), reset },
      async (text, values) => {
        statements.push(text)
        const { rows, connectionId } = await connection().queryPipelined(text, values)
        return connectionIds ? { rows, connectionId } : { rows }
      },
    )
    await log.catchUp()
    reset.mockClear()
    return { log, changes, reset, statements }
  }

  const changeUser = () =>
    tested.connection.query(`update users set name = 'Another' where id = $1`, [user])

  /** A transaction that has made a change and stays open until `end`. */
  async function openTransaction() {
    let end = (_: 'commit' | 'rollback') => {}
    const ended = new Promise<string>((resolve) => {
      end = resolve
    })
    let begun = () => {}
    const started = new Promise<void>((resolve) => {
      begun = resolve
    })
    const id = randomUUID()
    const finished = tested.connection
      .transact(async (execute) => {
        await execute(`select log_change('s${id}')`)
        begun()
        if ((await ended) === 'rollback') throw new Error('rolled back')
      })
      .catch(() => {})
    await started
    return {
      change: `s${id}`,
      end(how: 'commit' | 'rollback') {
        end(how)
        return finished
      },
    }
  }

  /** No transaction of another test has been open for so long that polls have to look further back. */
  async function noOldTransactions() {
    await vi.waitFor(async () => {
      const { rows } = await tested.connection.query(
        `select (pg_snapshot_xmax(s)::text::bigint - pg_snapshot_xmin(s)::text::bigint)::int as span
         from pg_current_snapshot() s`,
        [],
      )
      expect((rows as { span: number }[])[0]?.span).toBeLessThan(100)
    }, 20_000)
  }

  return { tested, user, createLog, openLog, changeUser, openTransaction, noOldTransactions }
}
