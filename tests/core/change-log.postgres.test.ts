import { randomUUID } from 'node:crypto'
import { freshDatabase, openFresh, testDatabase } from '@tests/support/database'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ChangeLog, deleteReadChanges } from '@/core/db/change-log'
import { type Connection, setConnection } from '@/core/db/client'
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
  for (const log of logs.splice(0)) log.end()
  setConnection(tested.connection)
})

/** A log that has read everything so far. */
async function openLog() {
  const changes: string[] = []
  const reset = vi.fn(() => changes.splice(0))
  const log = new ChangeLog({ apply: (change) => changes.push(change), reset })
  logs.push(log)
  await log.catchUp()
  reset.mockClear()
  return { log, changes, reset }
}

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

test('a change is read once', async () => {
  const { log, changes } = await openLog()
  await changeUser()
  await log.catchUp()
  await log.catchUp()
  expect(changes).toEqual([`u${user}`])
})

test('a transaction that began before other polls and commits after them is not missed', async () => {
  const { log, changes } = await openLog()
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
  const { log, changes } = await openLog()
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
  const { log, changes } = await openLog()
  await tested.connection.transact((execute) =>
    execute(`savepoint a; update users set name = 'B' where id = '${user}'; release savepoint a`),
  )
  await log.catchUp()
  expect(changes).toEqual([`u${user}`])
})

test('more changes than are worth listing reset the cache', async () => {
  const { log, changes, reset } = await openLog()
  await tested.connection.query(
    `select count(log_change('s' || n)) from generate_series(1, 1001) n`,
    [],
  )
  await log.catchUp()
  expect({ resets: reset.mock.calls.length, changes }).toEqual({ resets: 1, changes: [] })
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
  const old = await openLog()
  const { log, changes, reset } = await openLog()
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

test('an unused log stops polling, and is current again after it is used', async () => {
  let polls = 0
  const { connection } = tested
  setConnection({
    ...connection,
    queryPipelined(text, values) {
      polls += 1
      return connection.queryPipelined(text, values)
    },
  })
  const { log } = await openLog()
  log.isCurrent(performance.now())
  await vi.waitFor(() => expect(polls).toBeGreaterThan(5))
  await vi.waitFor(
    async () => {
      const before = polls
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(polls).toBe(before)
    },
    { timeout: 5_000 },
  )
  expect(log.isCurrent(performance.now())).toBe(false)
  await vi.waitFor(() => expect(log.isCurrent(performance.now())).toBe(true))
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
