import { afterAll, beforeAll } from 'vitest'
import { type Connection, closeConnection, type Database, setConnection } from '#db/client'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'

/** The built server with its own PostgreSQL database, which the test can query. */
export function runningServer(settings: Record<string, string> = {}) {
  let fresh: FreshDatabase
  let connection: Connection
  let server: Server
  beforeAll(async () => {
    fresh = await freshDatabase()
    connection = await openFresh(fresh)
    setConnection(connection)
    // A busy machine is slower than the default, and logs an error.
    server = await startServer({ DATABASE_TIMEOUT_MS: '20000', ...fresh.settings, ...settings })
  })
  afterAll(async () => {
    await server.stop()
    await closeConnection()
    await fresh.remove()
  })
  return {
    get url(): string {
      return server.url
    },
    get server(): Server {
      return server
    },
    get database(): Database {
      return connection.database
    },
    get fresh(): FreshDatabase {
      return fresh
    },
  }
}
