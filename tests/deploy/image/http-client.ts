import { sql } from 'drizzle-orm'
import { env } from 'plinth/config/env'
import { database, poolUse } from 'plinth/db/client'
import { databaseUrl } from 'plinth/testing'
import { type Server, startServer } from 'plinth/testing/server'
import { afterAll, beforeEach } from 'vitest'
import { createApi as createLocalApi, routesOf } from '../../../packages/plinth/src/api/api'

/**
 * In place of the API in this process: sends the requests of the contract tests to a server on the
 * database of the test. A test that changes settings gets another server, which has them.
 */
export function createApi(modules: Parameters<typeof createLocalApi>[0]) {
  return Object.assign(createLocalApi(modules), { request: send })
}

export { routesOf }

const servers = new Map<string, Promise<Server>>()
/** As `newClient()` changes them. */
const defaults = { ...env(), AUTH_SECRET: 'only-for-tests-'.repeat(3), TRUST_PROXY: 1 }

// A starting server writes, and some tests compare the database before and after a request.
beforeEach(async () => {
  Object.assign(env(), { TRUST_PROXY: defaults.TRUST_PROXY })
  // The app imports this file in every test. Those of the host have a database in the server only.
  if (poolUse().length > 0) await send('/api/health/live', {})
})

afterAll(async () => {
  for (const server of servers.values()) await (await server).stop()
})

async function send(path: string, init: RequestInit): Promise<Response> {
  const rows = await database().select({ name: sql<string>`current_database()` }).from(sql`now()`)
  const settings = {
    DATABASE_URL: databaseUrl(rows[0]?.name ?? ''),
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    TRUST_PROXY: '1',
    // The tests change sessions in the database, and another process would notice within 100 ms.
    SESSION_CACHE: 'off',
    ...changedSettings(),
  }
  const key = JSON.stringify(settings)
  const server = servers.get(key) ?? startServer(settings)
  servers.set(key, server)
  return fetch((await server).url + path, { ...init, redirect: 'manual' })
}

/** The settings that the tests have changed in this process, as the environment has them. */
function changedSettings(): Record<string, string> {
  const changed = Object.entries(env()).filter(
    ([name, value]) => /^[A-Z_]+$/.test(name) && value !== Reflect.get(defaults, name),
  )
  return Object.fromEntries(changed.map(([name, value]) => [name, String(value)]))
}
