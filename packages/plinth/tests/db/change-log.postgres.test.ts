import { describe, expect, test, vi } from 'vitest'
import { setConnection } from '#db/client'
import { testChangeLog } from '../support/change-log'

const { tested, user, createLog, openLog, changeUser, openTransaction, noOldTransactions } =
  testChangeLog()

const verifies = (statement: string) => statement.includes('pg_is_in_recovery')

test('the first poll resets the cache, because changes before it are not known', async () => {
  const reset = vi.fn()
  const log = createLog({ apply: () => {}, reset })
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
  await noOldTransactions()
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
  await noOldTransactions()
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
