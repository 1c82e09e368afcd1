import { expect, test, vi } from 'vitest'
import { deleteReadChanges } from '#db/change-log-sweep'
import { type Connection, setConnection } from '#db/client'
import { openPostgres } from '#db/postgres/postgres'
import { freshDatabase, openFresh } from '#testing/database/database'
import { findPostgres, startPostgres } from '../../scripts/services/programs.mjs'
import { testChangeLog } from '../support/change-log'

const { tested, user, createLog, openLog, changeUser, openTransaction } = testChangeLog()

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

test('a database that takes the place of another on the same server resets the cache', async () => {
  const restored = await freshDatabase()
  const other = await openFresh(restored)
  const reset = vi.fn()
  let current: Connection = tested.connection
  const log = createLog({ apply: () => {}, reset }, (...args) => current.queryPipelined(...args))
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
