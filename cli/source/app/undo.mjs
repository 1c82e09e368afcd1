import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digest } from '../module/digest.mjs'

/** Ignored by git: the files before the last upgrade on this machine. */
const folder = '.plinth/undo'

/**
 * The changes that keep what the given changes replace.
 *
 * @param {Map<string, Buffer | null>} changes
 */
export async function keepForUndo(app, changes, versions) {
  const kept = new Map()
  const entries = []
  // npm rewrites the lock file after an upgrade that changes package.json.
  for (const path of new Set([...changes.keys(), 'package-lock.json'])) {
    const before = await readFile(join(app, path)).catch(() => undefined)
    const copy = before && `${folder}/${entries.length}`
    if (copy) kept.set(copy, before)
    const content = changes.has(path) ? changes.get(path) : before
    entries.push({ path, copy, after: content ? digest(content) : null })
  }
  kept.set(`${folder}/plan.json`, Buffer.from(JSON.stringify({ ...versions, entries })))
  return new Map([...(await deleteUndo(app)), ...kept])
}

/** The changes that undo the last upgrade, and the paths that were edited after it. */
export async function readUndo(app) {
  const text = await readFile(join(app, folder, 'plan.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { from, to, entries } = JSON.parse(text)
  const changes = new Map()
  const edited = []
  for (const { path, copy, after } of entries) {
    const before = copy ? await readFile(join(app, copy)) : null
    changes.set(path, before)
    const now = await readFile(join(app, path)).catch(() => null)
    const isBefore = before && now ? before.equals(now) : before === now
    if (!isBefore && (now && digest(now)) !== after) edited.push(path)
  }
  return { from, to, changes, edited: withoutLock(edited) }
}

export async function deleteUndo(app) {
  const names = await readdir(join(app, folder)).catch(() => [])
  return new Map(names.map((name) => [`${folder}/${name}`, null]))
}

/** The lock file follows from package.json. */
function withoutLock(edited) {
  if (edited.includes('package.json')) return edited
  return edited.filter((path) => path !== 'package-lock.json')
}
