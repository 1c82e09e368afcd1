import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { run } from '#testing/program'
import { engineCommand } from '#testing/server/engine-command'
import { launchServer } from '#testing/server/server'
import { runDoctor } from '../../../support/doctor'
import { type MigrationFixtures, migrationFixtures } from '../../../support/migration-fixtures'

let fresh: FreshDatabase
let fixtures: MigrationFixtures

beforeEach(() => {
  fixtures = migrationFixtures('landing')
})

afterEach(async () => {
  fixtures.remove()
  await fresh.remove()
})

const manual = { MIGRATE: 'manual', LOG_LEVEL: 'silent', NODE_ENV: 'production' }

async function start(name: string, args: string[] = [], folder = process.cwd()) {
  const settings = { ...manual, ...fresh.settings }
  const program = run(...engineCommand(name, ...args), settings, folder)
  return { code: await program.exited, output: program.output() }
}

test('MIGRATE=manual leaves the migrations to npm run migrate', async () => {
  fresh = await freshDatabase('empty')
  const refused =
    /^Migrations are pending: core\/0001_initial, .*\. MIGRATE is manual, so they are not applied at startup\. Run npm run migrate, or node node_modules\/plinth migrate\.$/
  const server = launchServer({ ...manual, ...fresh.settings })
  expect(await server.exited).toBe(1)
  expect(server.output().trim()).toMatch(refused)
  const admin = await start('admin-create', ['first@example.com'])
  expect(admin.output.trim()).toMatch(refused)
  expect(admin.code).toBe(1)

  const listed = await start('migrate', ['--list'])
  expect(listed.output).toMatch(/^core\/0001_initial \(rolling: safe\)\ncore\/0002_module_mail/)
  const migrated = await start('migrate')
  expect(migrated.output).toMatch(/^Applied core\/0001_initial in \d+ ms\.\n/)
  expect(migrated.code).toBe(0)
  expect((await start('migrate')).output).toBe('No migrations are pending.\n')
  expect((await start('admin-create', ['first@example.com'])).code).toBe(0)
})

test('a failed migration and an unknown option have exit codes of their own', async () => {
  fresh = await freshDatabase()
  fixtures.add({ '9001_broken.sql': '-- rolling: safe\nselect 1 / 0;\n' })
  expect(await start('migrate', [], fixtures.root)).toEqual({
    code: 1,
    output:
      'Migration landing/9001_broken failed: division by zero. Correct the migration. Nothing of it was changed. The next run continues with it.\n',
  })
  expect(await start('migrate', ['--all'])).toEqual({
    code: 2,
    output: 'Usage: npm run migrate -- [--list]\n',
  })
})

test('doctor --rolling tells by its exit code whether the running version survives', async () => {
  fresh = await freshDatabase()
  const check = () =>
    runDoctor({ settings: fresh.settings, args: ['--rolling'], folder: fixtures.root })
  expect(await check()).toMatchObject({ code: 0 })

  fixtures.add({ '9001_column.sql': '-- rolling: safe\nalter table users add nickname text;\n' })
  const survives = await check()
  expect(survives.code).toBe(0)
  expect(survives.findings).toEqual([
    {
      level: 'ok',
      check: 'rolling',
      message: 'landing/9001_column is safe while the running version serves.',
    },
  ])

  fixtures.add({
    '9002_drop.sql': '-- rolling: unsafe\nalter table users drop name;\n',
    '9003_undeclared.sql': 'select 1;\n',
  })
  const stops = await check()
  expect(stops.code).toBe(3)
  expect(stops.issues('rolling')).toEqual([
    'error: landing/9002_drop is not safe while the running version serves.',
    'error: landing/9003_undeclared is not safe while the running version serves.',
  ])

  const connection = await openFresh(fresh)
  expect(
    await connection.transact((execute) =>
      execute(`select name from plinth_migrations where name like '9%'`),
    ),
  ).toEqual([])
  await connection.transact((execute) =>
    execute(`update plinth_migrations set hash = 'changed' where name = '0001_initial'`),
  )
  await connection.close()

  expect(await check()).toMatchObject({ code: 1 })
})
