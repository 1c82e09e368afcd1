import { expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { connection } from '#db/client'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'

const db = testDatabase({ timeoutMs: 2_000 })

test('a request does not wait until the slow statements of others have ended', async () => {
  await createDemoAccounts(db.database)
  const client = newClient()
  await client.signIn('admin@example.com')
  const cost = await timeOf(() => slowStatement())
  // Half a minute of work: the database runs one statement at a time.
  const others = Array.from({ length: Math.ceil(30_000 / cost) }, () =>
    slowStatement().catch(() => {}),
  )
  let status = 0
  const wait = await timeOf(async () => {
    status = (await client.send('/api/demo/admin/users')).status
  })
  // The others that waited before it have given up by then.
  expect([200, 503]).toContain(status)
  expect(wait).toBeLessThan(15_000)
  await Promise.all(others)
  expect((await client.send('/api/demo/admin/users')).status).toBe(200)
})

const slowStatement = () =>
  connection().query('select count(*) from generate_series(1, 300000)', [])

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
