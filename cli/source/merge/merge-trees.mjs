import { isComplete, mergeLocks, pruneLock } from '../package/lock-file.mjs'
import { serialize } from '../package/manifest.mjs'
import { jsonOf, textOf } from '../tree.mjs'
import { mergeFile } from './merge-file.mjs'

/** Generated from other files, so not merged. */
const generated = ['package-lock.json', 'src/modules.ts']

/**
 * Merges every file of the old and the new template version into the app.
 *
 * @param {{ ours: Map, base: Map, theirs: Map }} trees
 */
export async function mergeTrees({ ours, base, theirs }, labels) {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].sort()
  const files = []
  for (const path of paths) {
    if (generated.includes(path)) continue
    const versions = { ours: ours.get(path), base: base.get(path), theirs: theirs.get(path) }
    const result = await mergeFile(path, versions, labels)
    if (result.outcome !== 'same') files.push({ path, ...result })
  }
  return [...files, ...mergeLockFile({ ours, theirs }, files)]
}

/** Prefers the template's versions and keeps only what the merged package.json requires. */
function mergeLockFile({ ours, theirs }, files) {
  const path = 'package-lock.json'
  const merged = files.find((file) => file.path === 'package.json')
  if (!ours.has(path) || merged?.outcome === 'conflict') return []
  const manifest = JSON.parse((merged?.content ?? ours.get('package.json')).toString())
  const lock = pruneLock(manifest, mergeLocks(jsonOf(theirs, path), jsonOf(ours, path)))
  const text = serialize(lock, textOf(ours, path))
  if (!isComplete(lock) || text === textOf(ours, path)) return []
  return [{ path, outcome: 'updated', content: Buffer.from(text) }]
}
