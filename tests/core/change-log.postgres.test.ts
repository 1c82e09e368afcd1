import { randomUUID } from 'node:crypto'
import { freshDatabase, openFresh, testDatabase } from '@tests/support/database'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ChangeLog } from '@/core/db/change-log'
import { deleteReadChanges } from '@/core/db/change-log-sweep'
import { type Connection, connection, setConnection } from '@/core/db/client'
import { openPostgres } from '@/core/db/postgres/postgres'
import { findPostgres, startPostgres } from '../../scripts/services/programs.mjs'

const tested = testDatabase()
let user: string
const logs: ChangeLog[] = []

beforeAll(async () => {
  const { rows } = await tested.connection.query(
    `insert into users (email, name) values ('user@example.com', 'User') returning id`,
    [],
  )
  user = (rows as { id: string }[])[0]?.id ?? ''
})

afterEach(() => {
  vi.useRealTimers()
  for (const log of logs.splice(0)) log.end()
  setConnection(tested.connection)
})

/** A log that has read everything so far, and the statements that it sends. */
async function openLog({ connectionIds = true } = {}) {
  const changes: string[] = []
  const statements: string[] = []
  const reset = vi.fn(() => changes.splice(0))
  const log = new ChangeLog(
    { apply: (change) => changes.push(change), reset },
    async (text, values) => {
      statements.push(text)
      const { rows, connectionId } = await connection().queryPipelined(text, values)
      return connectionIds ? { rows, connectionId } : { rows }
    },
  )
  logs.push(log)
  await log.catchUp()
  reset.mockClear()
  return { log, changes, reset, statements }
}

const verifies = (statement: string) => statement.includes('pg_is_in_recovery')

const changeUser = (connection: Connection = tested.connection) =>
  connection.query(`update users set name = 'Another' where id = $1`, [user])

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

test('the first poll resets the cache, because changes before it are not known', async () => {
  const reset = vi.fn()
  const log = new ChangeLog({ apply: () => {}, reset })
  logs.push(log)
  expect(await log.catchUp()).toBe(true)
  expect(reset).toHaveBeenCalledTimes(1)
})

describe.each([
  ['on one connection', true],
  ['through a pooler', false],
])('%s', (_, connectionIds) => {
  test('a change is read once', async () => {
    const { log, changes } = await openLog({ connectionIds })
    await changeUser()
    await log.catchUp()
    await log.catchUp()
    expect(changes).toEqual([`u${user}`])
  })

  test('a transaction that began before other polls and commits after them is not missed', async () => {
    const { log, changes } = await openLog({ connectionIds })
    const late = await openTransaction()
    await log.catchUp()
    await changeUser()
    await log.catchUp()
    expect(changes).toEqual([`u${user}`])
    await late.end('commit')
    await log.catchUp()
    expect(changes).toEqual([`u${user}`, late.change])
  })

  test('a transaction that is left open neither hides nor repeats the changes of others', async () => {
    const open = await openTransaction()
    const { log, changes } = await openLog({ connectionIds })
    for (let round = 1; round <= 50; round += 1) {
      await changeUser()
      await log.catchUp()
      expect(changes.length).toBe(round)
    }
    await open.end('rollback')
    await log.catchUp()
    expect(changes.length).toBe(50)
  })

  test('a change inside a savepoint is read', async () => {
    const { log, changes } = await openLog({ connectionIds })
    await tested.connection.transact((execute) =>
      execute(`savepoint a; update users set name = 'B' where id = '${user}'; release savepoint a`),
    )
    await log.catchUp()
    expect(changes).toEqual([`u${user}`])
  })

  test('more changes than are worth listing reset the cache', async () => {
    const { log, changes, reset } = await openLog({ connectionIds })
    await tested.connection.query(
      `select count(log_change('s' || n)) from generate_series(1, 1001) n`,
      [],
    )
    await log.catchUp()
    expect({ resets: reset.mock.calls.length, changes }).toEqual({ resets: 1, changes: [] })
  })

  test('a transaction that is left open while a thousand others end is not missed', async () => {
    const { log, changes } = await openLog({ connectionIds })
    const late = await openTransaction()
    await tested.connection.executeAlone(
      'do $$ begin for i in 1..1100 loop perform pg_current_xact_id(); commit; end loop; end $$',
    )
    await changeUser()
    await log.catchUp()
    await changeUser()
    await log.catchUp()
    expect(changes).toEqual([`u${user}`, `u${user}`])
    await late.end('commit')
    await log.catchUp()
    expect(changes).toEqual([`u${user}`, `u${user}`, late.change])
  })
})

/** However slow the machine is, polls follow each other without a pause. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
}

test('polls in a row on one connection read rows alone, through a pooler they verify more', async () => {
  stopClock()
  const direct = await openLog()
  const pooled = await openLog({ connectionIds: false })
  for (let round = 0; round < 3; round += 1) {
    await direct.log.catchUp()
    await pooled.log.catchUp()
  }
  expect(direct.statements.map(verifies)).toEqual([true, true, false, false])
  expect(pooled.statements.map(verifies)).toEqual([true, true, true, true])
})

test('a new connection verifies what it reads, and keeps the cache on the same server', async () => {
  const { log, changes, reset, statements } = await openLog()
  const { rows } = await tested.connection.queryPipelined('select pg_backend_pid() as pid', [])
  const [{ pid }] = rows as [{ pid: number }]
  await tested.connection.query('select pg_terminate_backend($1)', [pid])
  await changeUser()
  // The first poll may find the connection lost.
  await vi.waitFor(async () => expect(await log.catchUp()).toBe(true))
  expect(statements.slice(1).some(verifies)).toBe(true)
  const isKnown = changes.includes(`u${user}`) || reset.mock.calls.length > 0
  expect(isKnown).toBe(true)
})

test('a poll for new rows is planned once and uses the index, however many rows there are', async () => {
  stopClock()
  const { log, statements } = await openLog()
  await log.catchUp()
  await log.catchUp()
  const statement = statements.find((text) => !verifies(text)) ?? ''
  await tested.connection.query(
    `select count(log_change('s' || n)) from generate_series(1, 100000) n`,
    [],
  )
  const planOf = () =>
    tested.connection.transact(async (execute) => {
      await execute('set local plan_cache_mode = force_generic_plan')
      await execute(`prepare poll as ${statement}`)
      const plan = await execute(`explain execute poll('1000')`)
      await execute('deallocate poll')
      return plan.map((line) => line['QUERY PLAN']).join('\n')
    })
  const withoutStatistics = await planOf()
  await tested.connection.executeAlone('analyze change_log')
  for (const plan of [withoutStatistics, await planOf()]) {
    expect(plan).toContain('change_log_xid_index')
    expect(plan).not.toContain('Seq Scan')
  }
  for (let round = 0; round < 20; round += 1) await log.catchUp()
  const { rows } = await tested.connection.queryPipelined(
    'select custom_plans::int as planned from pg_prepared_statements where statement = $1',
    [statement],
  )
  // PostgreSQL plans the first five executions.
  expect((rows as { planned: number }[])[0]?.planned).toBeLessThanOrEqual(10)
})

test('a hundred changes and more between two polls are all read', async () => {
  const { log, changes } = await openLog()
  await log.catchUp()
  await log.catchUp()
  await tested.connection.query(
    `select count(log_change('s' || n)) from generate_series(1, 150) n`,
    [],
  )
  await log.catchUp()
  await changeUser()
  await log.catchUp()
  expect(changes).toEqual([...Array.from({ length: 150 }, (_, n) => `s${n + 1}`), `u${user}`])
})

const letSweepPass = () =>
  tested.connection.query(
    `update change_log_sweep set swept_at = swept_at - interval '6 minutes'`,
    [],
  )

const countChanges = async () => {
  const { rows } = await tested.connection.query('select count(*)::int from change_log', [])
  return (rows as { count: number }[])[0]?.count
}

test('a process that has read since the last sweep keeps its cache, an older one drops it', async () => {
  // All of these polls verify. Others read new rows alone, and sweeps are minutes apart.
  const old = await openLog({ connectionIds: false })
  const { log, changes, reset } = await openLog({ connectionIds: false })
  await changeUser()
  await log.catchUp()
  // Transactions of other tests on this server hold the boundary back.
  await vi.waitFor(async () => {
    await letSweepPass()
    await deleteReadChanges(10_000)
    await log.catchUp()
    expect(await countChanges()).toBe(0)
  }, 20_000)
  expect({ changes, resets: reset.mock.calls.length }).toEqual({ changes: [`u${user}`], resets: 0 })
  await old.log.catchUp()
  expect({ changes: old.changes, resets: old.reset.mock.calls.length }).toEqual({
    changes: [],
    resets: 1,
  })
})

test('a sweep keeps what a transaction that is still open may add to', async () => {
  const open = await openTransaction()
  const { log, changes, reset } = await openLog()
  await changeUser()
  for (let round = 0; round < 2; round += 1) {
    await letSweepPass()
    await deleteReadChanges(1000)
    await log.catchUp()
  }
  await open.end('commit')
  await log.catchUp()
  expect({ changes, resets: reset.mock.calls.length }).toEqual({
    changes: [`u${user}`, open.change],
    resets: 0,
  })
})

test('only the process that finds the last sweep long ago moves the boundary', async () => {
  const boundary = async () =>
    (await tested.connection.query('select * from change_log_sweep', [])).rows
  await letSweepPass()
  await deleteReadChanges(1000)
  const moved = await boundary()
  await changeUser()
  await deleteReadChanges(1000)
  expect(await boundary()).toEqual(moved)
})

test('another server, or one whose transactions were set back, resets the cache', async () => {
  const { log, reset } = await openLog()
  const server = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  const other = openPostgres({ url: server.url, poolSize: 1 })
  try {
    await other.transact((execute) =>
      execute(`create table change_log (xid xid8, change text);
        create table change_log_sweep (swept_below xid8); insert into change_log_sweep values ('1')`),
    )
    setConnection(other)
    expect(await log.catchUp()).toBe(true)
    expect(reset).toHaveBeenCalledTimes(1)
    // This one has had more transactions than the new one, and none of its log seems to be missing.
    await tested.connection.query(`update change_log_sweep set swept_below = '1'`, [])
    setConnection(tested.connection)
    expect(await log.catchUp()).toBe(true)
    expect(reset).toHaveBeenCalledTimes(2)

    setConnection(sameStart(tested.connection))
    await log.catchUp()
    reset.mockClear()
    setConnection(sameStart(other))
    expect(await log.catchUp()).toBe(true)
    expect(reset).toHaveBeenCalledTimes(1)
  } finally {
    setConnection(tested.connection)
    await other.close()
    await server.stop()
  }
}, 60_000)

/** Two servers that seem to be one, as after a restore in place: only the snapshot goes back. */
function sameStart(connection: Connection): Connection {
  return {
    ...connection,
    queryPipelined: async (text, values) => {
      const { rows } = await connection.queryPipelined(text, values)
      return { rows: rows.map((row) => ({ ...(row as object), server: 'same' })) }
    },
  }
}

test('an unused log stops polling, and verifies before it is current again', async () => {
  const { log, statements } = await openLog()
  log.isCurrent(performance.now())
  await vi.waitFor(() => expect(statements.length).toBeGreaterThan(5))
  await vi.waitFor(
    async () => {
      const before = statements.length
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(statements.length).toBe(before)
    },
    { timeout: 5_000 },
  )
  statements.length = 0
  expect(log.isCurrent(performance.now())).toBe(false)
  await vi.waitFor(() => expect(log.isCurrent(performance.now())).toBe(true))
  expect(statements.slice(0, 1).map(verifies)).toEqual([true])
})

test('after a failed poll nothing is current, and the next one resets the cache', async () => {
  const { log, reset } = await openLog()
  const { connection } = tested
  setConnection({ ...connection, queryPipelined: () => connection.query('select 1/0', []) })
  expect(await log.catchUp()).toBe(false)
  setConnection(connection)
  expect(await log.catchUp()).toBe(true)
  expect(reset).toHaveBeenCalledTimes(1)
})

test('a database that takes the place of another on the same server resets the cache', async () => {
  const restored = await freshDatabase()
  const other = await openFresh(restored)
  const reset = vi.fn()
  let current: Connection = tested.connection
  const log = new ChangeLog({ apply: () => {}, reset }, (...args) =>
    current.queryPipelined(...args),
  )
  logs.push(log)
  await log.catchUp()
  await log.catchUp()
  expect(reset).toHaveBeenCalledTimes(1)
  // As behind a pooler that was told to use the restored one: no query fails.
  current = other
  await log.catchUp()
  expect(reset).toHaveBeenCalledTimes(2)
  await log.catchUp()
  expect(reset).toHaveBeenCalledTimes(2)
  await other.close()
  await restored.remove()
})
