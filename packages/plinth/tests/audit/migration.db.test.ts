import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#db/migrate/migrate'
import { freshDatabase, openFresh } from '#testing/database/database'

const migrations = 'packages/plinth/migrations'

/** The migrations before that of the partitions. */
function earlierMigrations(): string {
  const core = mkdtempSync(join(tmpdir(), 'plinth-migrations-'))
  onTestFinished(() => rmSync(core, { recursive: true, force: true }))
  for (const name of readdirSync(migrations).filter((name) => name < '0010')) {
    cpSync(join(migrations, name), join(core, name))
  }
  return core
}

test('events of an earlier version stay, in order and with their ids', async () => {
  const fresh = await freshDatabase('empty')
  const connection = await openFresh(fresh)
  onTestFinished(async () => {
    await connection.close()
    await fresh.remove()
  })
  const query = (statement: string) => connection.transact((execute) => execute(statement))
  await migrate(connection, [], { core: earlierMigrations() })
  await query(`insert into audit_events (at, action, outcome, details)
    select now() - number * interval '1 day', 'old_' || number, 'success', '{"by": "test"}'
    from generate_series(1, 400) number`)
  const all = 'select * from audit_events order by id'
  const before = await query(all)
  await migrate(connection, [], {})
  expect(await query(all)).toEqual(before)
  await query(`insert into audit_events (action, outcome) values ('new', 'success')`)
  expect(await query(`select id from audit_events where action = 'new'`)).toMatchObject([
    { id: expect.toSatisfy((id) => Number(id) === 401) },
  ])
})
