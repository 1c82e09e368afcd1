import { isComplete, joinLocks, lockFor } from '../package/lock-file.mjs'
import { serialise } from '../package/manifest.mjs'
import { jsonOf, textOf } from '../tree.mjs'
import { mergeFile } from './merge-file.mjs'

/** Written from what else is in the app, not merged. */
const derived = ['package-lock.json', 'src/modules.ts']

/**
 * Every file of the template, old and new, merged into the app.
 *
 * @param {{ ours: Map, base: Map, theirs: Map }} trees
 */
export async function mergeTrees({ ours, base, theirs }, labels) {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].sort()
  const files = []
  for (const path of paths) {
    if (derived.includes(path)) continue
    const versions = { ours: ours.get(path), base: base.get(path), theirs: theirs.get(path) }
    const result = await mergeFile(path, versions, labels)
    if (result.outcome !== 'same') files.push({ path, ...result })
  }
  return [...files, ...mergeLocks({ ours, theirs }, files)]
}

/** The template's versions where both have one, and only what package.json then asks for. */
function mergeLocks({ ours, theirs }, files) {
  const path = 'package-lock.json'
  const merged = files.find((file) => file.path === 'package.json')
  if (!ours.has(path) || merged?.outcome === 'conflict') return []
  const manifest = JSON.parse((merged?.content ?? ours.get('package.json')).toString())
  const lock = lockFor(manifest, joinLocks(jsonOf(theirs, path), jsonOf(ours, path)))
  const text = serialise(lock, textOf(ours, path))
  if (!isComplete(lock) || text === textOf(ours, path)) return []
  return [{ path, outcome: 'updated', content: Buffer.from(text) }]
}
