import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isComplete, mergeLocks, pruneLock } from '../package/lock-file.mjs'
import { serialize } from '../package/manifest.mjs'
import { modulesText } from './installed.mjs'
import { recordEntry } from './record.mjs'

/**
 * The files shared by all modules, updated for these modules: `edit` changes package.json, `settings`
 * changes .env.example, and the rest follows. Returns only the files that change; null deletes one.
 */
export async function sharedFiles(app, { modules, edit, settings, lock }) {
  const { folder } = app
  const [recordPath, recordText] = recordEntry(app)
  const read = (path) => readFile(join(folder, path), 'utf8').catch(() => undefined)
  const before = {
    'package.json': await read('package.json'),
    'package-lock.json': await read('package-lock.json'),
    '.env.example': await read('.env.example'),
    'src/modules.ts': await read('src/modules.ts'),
    [recordPath]: await read(recordPath),
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
    [recordPath]: recordText,
  }
  const changed = Object.keys(after).filter((path) => after[path] !== before[path])
  return new Map(
    changed.map((path) => [path, after[path] === undefined ? null : Buffer.from(after[path])]),
  )
}

/** If the lock file needs the registry to be completed, npm does it on the next start. */
function lockText(manifest, text, templateLock) {
  if (text === undefined) return undefined
  const lock = JSON.parse(text)
  const next = pruneLock(manifest, templateLock ? mergeLocks(lock, templateLock) : lock)
  return isComplete(next) ? serialize(next, text) : text
}
