import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEvents } from '#db/schema'
import {
  type FreshDatabase,
  freshDatabase,
  onPostgres,
  openFresh,
} from '#testing/database/database'
import { launchServer, startServer } from '#testing/server/server'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  await withDatabase((connection) =>
    connection.transact(async (execute) => {
      await execute(
        `insert into users (email, name, role) values ('protected@example.com', 'Protected', 'viewer')`,
      )
      await execute(
        `create view door_lock_protected_users as
         select id as user_id from users where name = 'Protected'`,
      )
    }),
  )
})

afterAll(() => fresh.remove())

async function withDatabase<Result>(
  work: (connection: Awaited<ReturnType<typeof openFresh>>) => Promise<Result>,
): Promise<Result> {
  const connection = await openFresh(fresh)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

const acceptances = () =>
  withDatabase(({ database }) =>
    database.select().from(auditEvents).where(eq(auditEvents.action, 'accept_removed_protection')),
  )

test('a start without a module that protects users stops with one line', async () => {
  const server = launchServer({ ...fresh.settings, LOG_LEVEL: 'silent' })
  expect(await server.exited).toBe(1)
  expect(server.output().trim().split('\n').at(-1)).toBe(
    'One user has a second factor, but the module door-lock is not installed, so a password alone signs in. Add it again: npx plinth add door-lock. Or accept this: ACCEPT_REMOVED_PROTECTION=door-lock',
  )
  expect(await acceptances()).toEqual([])
})

test('an accepted start is one audit event, with any number of workers', async () => {
  const server = await startServer({
    ...fresh.settings,
    ACCEPT_REMOVED_PROTECTION: 'door-lock',
    ...(onPostgres ? { WEB_CONCURRENCY: '2' } : {}),
  })
  await server.stop()
  expect(await acceptances()).toMatchObject([{ details: { module: 'door-lock', users: 1 } }])
})
