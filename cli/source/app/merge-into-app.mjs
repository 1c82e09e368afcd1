import { enginePath } from '../engine/installed-engine.mjs'
import { mergeTrees } from '../merge/merge-trees.mjs'
import { textOf } from '../tree.mjs'
import { readAppFiles } from './edits.mjs'

/** The files of the app at the paths of these trees, and its engine. */
export async function readOwnFiles(app, ...trees) {
  const paths = new Set(trees.flatMap((tree) => [...tree.keys()]))
  const ours = await readAppFiles(app.folder, paths)
  const engine = textOf(ours, 'package.json') && enginePath(ours)
  if (!engine || ours.has(engine)) return ours
  return new Map([...ours, ...(await readAppFiles(app.folder, [engine]))])
}

/** Merges the difference of two trees of the template into the files of an app. */
export async function mergeIntoApp(ours, { base, theirs, labels }) {
  const files = await mergeTrees({ ours, base, theirs }, labels)
  const changed = files.filter(({ content }) => content !== undefined)
  return { files, changes: new Map(changed.map(({ path, content }) => [path, content])) }
}

export function conflictsIn(files) {
  return files.filter(({ outcome }) => outcome === 'conflict').map(({ path }) => path)
}
