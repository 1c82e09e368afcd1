import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isComplete, joinLocks, lockFor } from '../package/lock-file.mjs'
import { serialise } from '../package/manifest.mjs'
import { modulesText } from './installed.mjs'
import { recordFile, recordText } from './record.mjs'

/**
 * The files that all modules share, as they have to be for these: what `edit` makes of package.json
 * and .env.example, and what follows from it. Only those that change are named.
 */
export async function sharedFiles({ folder, record }, { modules, edit, settings, lock }) {
  const read = (path) => readFile(join(folder, path), 'utf8').catch(() => undefined)
  const before = {
    'package.json': await read('package.json'),
    'package-lock.json': await read('package-lock.json'),
    '.env.example': await read('.env.example'),
    'src/modules.ts': await read('src/modules.ts'),
    [recordFile]: await read(recordFile),
  }
  const old = JSON.parse(before['package.json'])
  const manifest = edit(old)
  const isSame = JSON.stringify(manifest) === JSON.stringify(old)
  const after = {
    'package.json': isSame ? before['package.json'] : serialise(manifest, before['package.json']),
    'package-lock.json': isSame
      ? before['package-lock.json']
      : lockText(manifest, before['package-lock.json'], lock),
    '.env.example': before['.env.example'] && settings(before['.env.example']),
    'src/modules.ts': await modulesText(folder, modules),
    [recordFile]: recordText(record, folder),
  }
  const changed = Object.keys(after).filter((path) => after[path] !== before[path])
  return new Map(changed.map((path) => [path, Buffer.from(after[path])]))
}

/** Where the lock file cannot be told without asking the registry, npm does it at the next start. */
function lockText(manifest, text, more) {
  if (text === undefined) return undefined
  const lock = JSON.parse(text)
  const next = lockFor(manifest, more ? joinLocks(lock, more) : lock)
  return isComplete(next) ? serialise(next, text) : text
}
