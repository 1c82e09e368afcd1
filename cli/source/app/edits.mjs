import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digest } from '../module/digest.mjs'
import { moduleFolder } from '../template/modules.mjs'
import { readTree, subtree } from '../tree.mjs'

/** The current content of these files of the app. */
export async function readAppFiles(app, paths) {
  const tree = new Map()
  for (const path of paths) {
    const content = await readFile(join(app, path)).catch(() => undefined)
    if (content) tree.set(path, content)
  }
  return tree
}

/** The current files of a module, and how they differ from the installed ones. */
export async function findModuleEdits(app, id, base) {
  const ours = await readModuleFiles(app, id)
  const installed = subtree(base, moduleFolder(id))
  const paths = [...new Set([...ours.keys(), ...installed.keys()])].sort()
  const edited = paths.flatMap((path) => {
    const [now, then] = [ours.get(path), installed.get(path)]
    if (now && then?.equals(now)) return []
    return [{ path, what: !then ? 'added' : now ? 'changed' : 'deleted' }]
  })
  return { ours, installed, edited }
}

/** Like findModuleEdits, for a module that is not from the template: by the recorded digests. */
export async function findAddedEdits(app, id, { files }) {
  const ours = await readModuleFiles(app, id)
  const paths = [...new Set([...ours.keys(), ...Object.keys(files)])].sort()
  const edited = paths.flatMap((path) => {
    const now = ours.get(path)
    if (now && files[path] === digest(now)) return []
    return [{ path, what: !files[path] ? 'added' : now ? 'changed' : 'deleted' }]
  })
  return { ours, edited }
}

async function readModuleFiles(app, id) {
  const prefix = moduleFolder(id)
  const found = await readTree(join(app, prefix)).catch(() => new Map())
  return new Map([...found].map(([path, content]) => [`${prefix}/${path}`, content]))
}
