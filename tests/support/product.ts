import { afterAll, beforeAll } from 'vitest'
import { type Connection, closeConnection, type Database, holdConnection } from '@/core/db/client'
import { freshDatabase, openPlace, type Place } from './database'
import { type Server, startServer } from './server'

/** The built product on a PostgreSQL database of its own, which the test can look into. */
export function runningProduct(settings: Record<string, string> = {}) {
  let place: Place
  let connection: Connection
  let server: Server
  beforeAll(async () => {
    place = await freshDatabase()
    connection = await openPlace(place)
    holdConnection(connection)
    server = await startServer({ ...place.settings, ...settings })
  })
  afterAll(async () => {
    await server.stop()
    await closeConnection()
    await place.remove()
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
    get place(): Place {
      return place
    },
  }
}
