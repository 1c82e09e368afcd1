import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appFolder } from '#config/app-folder'

/** Here and in the compiled copy. */
const engine = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * The folder of an empty and of a migrated embedded database, which takes seconds to create and is kept
 * until its sources change.
 */
export function testDatabases(): string {
  const app = appFolder()
  const sources: [string, string][] = [
    [app, 'package-lock.json'],
    [engine, 'src/db'],
    [engine, 'migrations'],
    ...migrationFolders(app).map((folder): [string, string] => [app, folder]),
  ]
  const hash = createHash('sha256')
  for (const [root, path] of sources) {
    for (const file of filesUnder(root, path))
      hash.update(file).update(readFileSync(join(root, file)))
  }
  const cache = join(app, 'node_modules', '.cache', 'plinth', 'test-databases')
  return join(cache, hash.digest('hex').slice(0, 16))
}

/** Makes `folder` the data folder of a migrated database, if there is one; otherwise the server creates it. */
export async function copyMigratedDatabase(folder: string): Promise<void> {
  const migrated = join(testDatabases(), 'migrated')
  if (existsSync(migrated)) await cp(migrated, folder, { recursive: true })
}

function migrationFolders(app: string): string[] {
  return readdirSync(join(app, 'src', 'app'))
    .map((name) => `src/app/${name}/migrations`)
    .filter((folder) => existsSync(join(app, folder)))
}

function filesUnder(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(root, `${path}/${name}`))
}
