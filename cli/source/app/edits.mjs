import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderOf } from '../template/modules.mjs'
import { below, readTree } from '../tree.mjs'

/** What is at these paths of the app now. */
export async function readApp(app, paths) {
  const tree = new Map()
  for (const path of paths) {
    const content = await readFile(join(app, path)).catch(() => undefined)
    if (content) tree.set(path, content)
  }
  return tree
}

/** A module's folder as it is, and where it differs from what was installed. */
export async function editsOfModule(app, id, base) {
  const prefix = folderOf(id)
  const found = await readTree(join(app, prefix)).catch(() => new Map())
  const ours = new Map([...found].map(([path, content]) => [`${prefix}/${path}`, content]))
  const installed = below(base, prefix)
  const paths = [...new Set([...ours.keys(), ...installed.keys()])].sort()
  const edited = paths.flatMap((path) => {
    const [now, then] = [ours.get(path), installed.get(path)]
    if (now && then?.equals(now)) return []
    return [{ path, what: !then ? 'added' : now ? 'changed' : 'deleted' }]
  })
  return { ours, installed, edited }
}
