import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, inRoot } from '../paths.mjs'

/**
 * The folder of an empty and of a migrated embedded database, which takes seconds to create and is kept
 * until its sources change. tests/support/template-database.ts creates it.
 */
export function testDatabases() {
  const hash = createHash('sha256')
  for (const path of ['package-lock.json', 'packages/plinth/src/db', ...migrationFolders()].flatMap(
    filesUnder,
  )) {
    hash.update(path).update(readFileSync(inRoot(path)))
  }
  return join(cacheFolder, 'test-databases', hash.digest('hex').slice(0, 16))
}

/** Makes `folder` the data folder of a migrated database, if there is one; otherwise the server creates it. */
export async function copyMigratedDatabase(folder) {
  const migrated = join(testDatabases(), 'migrated')
  if (existsSync(migrated)) await cp(migrated, folder, { recursive: true })
}

function migrationFolders() {
  return readdirSync(inRoot('src', 'app'))
    .map((name) => `src/app/${name}/migrations`)
    .filter((folder) => existsSync(inRoot(folder)))
}

function filesUnder(path) {
  if (statSync(inRoot(path)).isFile()) return [path]
  return readdirSync(inRoot(path)).flatMap((name) => filesUnder(`${path}/${name}`))
}
