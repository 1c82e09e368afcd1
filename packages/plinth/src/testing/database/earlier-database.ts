import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { type Connection, closeConnection, type Database, setConnection } from '#db/client'
import { migrate } from '#db/migrate/migrate'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'

/** Here and in the compiled copy. */
const coreMigrations = fileURLToPath(new URL('../../../migrations', import.meta.url))

/**
 * A database for each test, as it was before some migrations. `upgrade` applies them.
 *
 * @param later Parts of their paths.
 */
export function earlierDatabase(modules: readonly { id: string }[], later: readonly string[]) {
  let fresh: FreshDatabase
  let connection: Connection
  let root: string

  const copyMigrations = (filter: (path: string) => boolean) => {
    const folders = modules.map(({ id }) => `src/app/(${id})/migrations`)
    cpSync(coreMigrations, join(root, 'core'), { recursive: true, filter })
    for (const folder of folders) cpSync(folder, join(root, folder), { recursive: true, filter })
  }

  beforeEach(async () => {
    fresh = await freshDatabase('empty')
    connection = await openFresh(fresh)
    setConnection(connection)
    root = mkdtempSync(join(tmpdir(), 'plinth-migrations-'))
    copyMigrations((path) => !later.some((part) => path.includes(part)))
    await migrate(connection, modules, { root, core: join(root, 'core') })
  })

  afterEach(async () => {
    await closeConnection()
    await fresh.remove()
    rmSync(root, { recursive: true, force: true })
  })

  return {
    get database(): Database {
      return connection.database
    },
    async upgrade(): Promise<void> {
      copyMigrations(() => true)
      await migrate(connection, modules, { root, core: join(root, 'core') })
    },
  }
}
