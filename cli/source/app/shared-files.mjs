import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isComplete, mergeLocks, pruneLock } from '../package/lock-file.mjs'
import { serialize } from '../package/manifest.mjs'
import { modulesText } from './installed.mjs'
import { recordFile, recordText } from './record.mjs'

/**
 * The files shared by all modules, updated for these modules: `edit` changes package.json, `settings`
 * changes .env.example, and the rest follows. Returns only the files that change.
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
    'package.json': isSame ? before['package.json'] : serialize(manifest, before['package.json']),
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

/** If the lock file needs the registry to be completed, npm does it on the next start. */
function lockText(manifest, text, templateLock) {
  if (text === undefined) return undefined
  const lock = JSON.parse(text)
  const next = pruneLock(manifest, templateLock ? mergeLocks(lock, templateLock) : lock)
  return isComplete(next) ? serialize(next, text) : text
}
