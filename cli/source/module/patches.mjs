import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { diffTrees } from '../app/diff-trees.mjs'

/** One patch for each edited module, in the root of the app where users notice it. */
export async function createPatches(app, edits) {
  const patches = []
  for (const { module, isFromTemplate, ours, installed, edited } of edits) {
    if (edited.length === 0) continue
    const path = unusedName(app, module.id)
    patches.push({ path, module, isFromTemplate, content: await diffTrees(installed, ours) })
  }
  return patches
}

function unusedName(app, id) {
  for (let count = 1; ; count += 1) {
    const name = `removed-${id}${count > 1 ? `-${count}` : ''}.patch`
    if (!existsSync(join(app, name))) return name
  }
}
