import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Connection, closeConnection, type Database, setConnection } from '#db/client'
import { openEmbedded } from '#db/embedded/embedded'
import { openPostgres } from '#db/postgres/postgres'
import { administer, databaseUrl } from '#testing/database/postgres-server'

export const onPostgres = process.env.TEST_DATABASE === 'postgres'

/** A database of one test: the settings to open it and its removal. */
export type FreshDatabase = { settings: Record<string, string>; remove(): Promise<void> }

export async function freshDatabase(
  from: 'empty' | 'migrated' = 'migrated',
): Promise<FreshDatabase> {
  if (!onPostgres) {
    const folder = mkdtempSync(join(tmpdir(), 'plinth-test-'))
    cpSync(join(inject('template'), from), folder, { recursive: true })
    return {
      settings: { DATA_DIR: folder, DATABASE_URL: '' },
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    }
  }
  const name = `plinth_test_${randomBytes(6).toString('hex')}`
  const template = from === 'migrated' ? ` template ${inject('template')}` : ''
  await administer(`create database ${name}${template}`)
  return {
    settings: { DATABASE_URL: databaseUrl(name), AUTH_SECRET: 'only-for-tests-'.repeat(3) },
    remove: () => administer(`drop database if exists ${name} with (force)`),
  }
}

/** A busy machine takes longer than the default. */
const patientMs = 20_000

export async function openFresh(
  { settings }: FreshDatabase,
  { poolSize = 4, timeoutMs = patientMs } = {},
): Promise<Connection> {
  return settings.DATABASE_URL
    ? openPostgres({ url: settings.DATABASE_URL, poolSize, timeoutMs })
    : openEmbedded(settings.DATA_DIR ?? '', timeoutMs)
}

/** A migrated database for all tests of the calling file, set as the connection of the process. */
export function testDatabase(options: { timeoutMs?: number } = {}): {
  readonly connection: Connection
  readonly database: Database
} {
  let fresh: FreshDatabase
  let connection: Connection
  beforeAll(async () => {
    fresh = await freshDatabase()
    connection = await openFresh(fresh, options)
    setConnection(connection)
  })
  afterAll(async () => {
    await closeConnection()
    await fresh.remove()
  })
  return {
    get connection() {
      return connection
    },
    get database() {
      return connection.database
    },
  }
}
