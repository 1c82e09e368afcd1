import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from 'plinth/db/client'
import { migrate } from 'plinth/db/migrate/migrate'
import { type FreshDatabase, freshDatabase, openFresh } from 'plinth/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { modules } from '@/modules'
import { dropStatements } from '../../../cli/source/module/tables.mjs'

let fresh: FreshDatabase
let connection: Connection

beforeEach(async () => {
  fresh = await freshDatabase('empty')
  connection = await openFresh(fresh)
  await migrate(connection, [])
})

afterEach(async () => {
  await connection.close()
  await fresh.remove()
})

const execute = (statements: string) => connection.transact((run) => run(statements))

/** Tables, views, indexes, functions and triggers that are not part of an extension. */
async function objects(): Promise<string[]> {
  const rows = await execute(`
    select relkind::text || ' ' || relname as name from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'i', 'S')
    union all
    select 'function ' || proname from pg_proc p
    where pronamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend where objid = p.oid and deptype = 'e')
    union all
    select 'trigger ' || tgname from pg_trigger where not tgisinternal
    order by 1`)
  return rows.map(({ name }) => String(name))
}

function filesOf(id: string): Map<string, Buffer> {
  const folder = `src/app/(${id})`
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
  return new Map(paths.map((path) => [path, readFileSync(path)]))
}

const withTables = modules.filter(({ id }) => dropStatements(id, filesOf(id)).length > 0)

test.each(withTables)('$id: the SQL of its README drops all that it has', async (module) => {
  const before = await objects()
  await migrate(connection, [module])
  expect((await objects()).length).toBeGreaterThan(before.length)
  await execute(dropStatements(module.id, filesOf(module.id)).join('\n'))
  expect(await objects()).toEqual(before)
  expect((await migrate(connection, [module])).length).toBeGreaterThan(0)
})

test.each(withTables)('$id: without a README, no trigger uses a dropped table', async (module) => {
  const ofCore = await objects()
  await migrate(connection, [module])
  const files = filesOf(module.id)
  files.delete(`src/app/(${module.id})/README.md`)
  for (const statement of dropStatements(module.id, files)) await execute(statement)
  // Indexes of core's tables stay; they break nothing.
  const left = (await objects()).filter((name) => !ofCore.includes(name))
  expect(left.filter((name) => !name.startsWith('i '))).toEqual([])
})
