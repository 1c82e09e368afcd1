import { diffTrees } from '../app/diff-trees.mjs'
import { findAddedEdits, findModuleEdits } from '../app/edits.mjs'
import { installedModules, requireInstalled } from '../app/installed.mjs'
import { readOwnFiles } from '../app/merge-into-app.mjs'
import { readOriginal } from '../app/originals.mjs'
import { openApp } from '../app/record.mjs'
import { renderBase } from '../app/render-base.mjs'
import { CommandError } from '../command-error.mjs'
import { hasOtherEngine, withEngineOf } from '../engine/installed-engine.mjs'
import { moduleFolder } from '../template/modules.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

/** Compares the template's files, or one module, with the original. */
export async function run({ flags, names, output }) {
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  const [name, ...others] = names
  if (others.length > 0) throw new CommandError('Give one module, or none for the whole template.')
  if (name !== undefined) requireInstalled([name], await installedModules(app.folder))
  const { before, after, missing = [], unchanged } = await compare(app, name, flags)
  const color = !output.json && Boolean(process.stdout.isTTY)
  const patch = await diffTrees(before, after, { color })
  const changed = [...changedPaths(before, after), ...missing].sort()
  if (patch.length > 0) output.print(patch.toString().trimEnd())
  if (changed.length === 0) output.print(unchanged)
  for (const path of missing) {
    output.print(`${path}: edited. Its original is neither on this machine nor in git.`)
  }
  return { version: app.record.version, changed, patch: patch.toString() }
}

function compare(app, name, flags) {
  const { modules, added } = app.record
  if (name === undefined || modules.includes(name)) return compareWithTemplate(app, name, flags)
  if (Object.hasOwn(added, name)) return compareWithOriginals(app, name)
  const folder = moduleFolder(name)
  return {
    before: new Map(),
    after: new Map(),
    unchanged: `Module ${name} was written in this app: there is no original to compare it with. Its history: git log -p -- '${folder}'`,
  }
}

/** Everything in the folders of the template's modules, and all other files of the template. */
function compareWithTemplate(app, name, flags) {
  return withTemporaryFolder(async (temporary) => {
    const { tree } = await renderBase(app, temporary, flags)
    const modules = await Promise.all(
      (name ? [name] : app.record.modules).map((id) => findModuleEdits(app.folder, id, tree)),
    )
    const before = new Map(modules.flatMap(({ installed }) => [...installed]))
    const after = new Map(modules.flatMap(({ ours }) => [...ours]))
    if (!name) {
      const ours = await readOwnFiles(app, tree)
      // An engine that was upgraded is no edit.
      const original = hasOtherEngine(ours, tree) ? withEngineOf(tree, ours) : tree
      for (const [path, content] of original) before.set(path, content)
      for (const [path, content] of ours) after.set(path, content)
    }
    return { before, after, unchanged: `No changes to ${name ?? 'the template'}.` }
  })
}

async function compareWithOriginals({ folder, record }, name) {
  const { files } = record.added[name]
  const { ours, edited } = await findAddedEdits(folder, name, { files })
  const [before, after, missing] = [new Map(), new Map(), []]
  for (const { path, what } of edited) {
    const original = what === 'added' ? undefined : await readOriginal(folder, path, files[path])
    if (what !== 'added' && !original) missing.push(path)
    else {
      if (original) before.set(path, original)
      if (what !== 'deleted') after.set(path, ours.get(path))
    }
  }
  return { before, after, missing, unchanged: `No changes to ${name}.` }
}

function changedPaths(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => !equal(before.get(path), after.get(path)))
}

function equal(one, other) {
  return one !== undefined && other !== undefined && one.equals(other)
}
