import { diffTrees } from '../app/diff-trees.mjs'
import { findModuleEdits, readAppFiles } from '../app/edits.mjs'
import { openApp } from '../app/record.mjs'
import { renderBase } from '../app/render-base.mjs'
import { CommandError } from '../command-error.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

/** Compares the template's files, and everything in the folders of its modules, with the original. */
export async function run({ flags, names, output }) {
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  const [name] = names
  if (name !== undefined && !app.record.modules.includes(name)) {
    throw new CommandError(`${name} is not an installed template module.`)
  }
  return withTemporaryFolder(async (temporary) => {
    const { tree } = await renderBase(app, temporary, flags)
    const modules = await Promise.all(
      (name ? [name] : app.record.modules).map((id) => findModuleEdits(app.folder, id, tree)),
    )
    const before = new Map(modules.flatMap(({ installed }) => [...installed]))
    const after = new Map(modules.flatMap(({ ours }) => [...ours]))
    if (!name) {
      for (const [path, content] of tree) before.set(path, content)
      for (const [path, content] of await readAppFiles(app.folder, tree.keys()))
        after.set(path, content)
    }
    const patch = await diffTrees(before, after, {
      color: !output.json && Boolean(process.stdout.isTTY),
    })
    const changed = changedPaths(before, after)
    output.print(patch.length > 0 ? patch.toString().trimEnd() : 'No changes to the template.')
    return { version: app.record.version, changed, patch: patch.toString() }
  })
}

function changedPaths(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => !equal(before.get(path), after.get(path))).sort()
}

function equal(one, other) {
  return one !== undefined && other !== undefined && one.equals(other)
}
