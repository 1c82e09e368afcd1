import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { differences } from '../app/differences.mjs'

/** A patch for each module that was edited, beside package.json, where it is seen. */
export async function patchesFor(app, edits) {
  const patches = new Map()
  for (const { module, ours, installed, edited } of edits) {
    if (edited.length === 0) continue
    patches.set(freeName(app, module.id), await differences(installed, ours))
  }
  return patches
}

function freeName(app, id) {
  for (let count = 1; ; count += 1) {
    const name = `removed-${id}${count > 1 ? `-${count}` : ''}.patch`
    if (!existsSync(join(app, name))) return name
  }
}
