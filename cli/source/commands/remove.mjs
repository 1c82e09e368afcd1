import { baseOf } from '../app/base.mjs'
import { editsOfModule } from '../app/edits.mjs'
import { installedModules } from '../app/installed.mjs'
import { openApp } from '../app/record.mjs'
import { sharedFiles } from '../app/shared-files.mjs'
import { createUses } from '../app/uses.mjs'
import { changeTree } from '../change/change.mjs'
import { recoverIfNeeded } from '../change/recover.mjs'
import { digest } from '../module/digest.mjs'
import { patchesFor } from '../module/patches.mjs'
import { statementsToDrop } from '../module/tables.mjs'
import { withoutPackagesOf } from '../package/manifest.mjs'
import { Stop } from '../stop.mjs'
import { folderOf } from '../template/modules.mjs'
import { withoutSettings } from '../template/settings-example.mjs'
import { withTemporaryFolder } from '../temporary.mjs'

export async function run({ flags, names, output }) {
  if (names.length === 0) throw new Stop('Which module? `plinth list` shows those there are.')
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  const present = await installedModules(app.folder)
  const leaving = leavingOf(names, present)
  return withTemporaryFolder(async (temporary) => {
    const edits = await output.during('Looking for edits', () =>
      editsOf(app, leaving, temporary, flags.base),
    )
    const edited = edits.flatMap((module) => module.edited)
    if (edited.length > 0 && !flags.force) refuse(edited)
    const patches = await patchesFor(app.folder, edits)
    const shared = await sharedWithout(app, present, leaving)
    const gone = edits.flatMap(({ ours }) => [...ours.keys()].map((path) => [path, null]))
    await changeTree(app.folder, new Map([...patches, ...gone, ...shared]))
    return report(output, leaving, edits, shared, patches)
  })
}

function leavingOf(names, present) {
  const leaving = names.map((name) => {
    const module = present.find(({ id }) => id === name)
    if (!module) throw new Stop(`The module ${name} is not installed.`)
    return module
  })
  for (const { id, requires } of present) {
    const needed = names.includes(id) ? [] : requires.filter((other) => names.includes(other))
    if (needed.length > 0) {
      throw new Stop(`${id} needs ${needed.join(' and ')}: remove them together, or neither.`, [], {
        neededBy: id,
      })
    }
  }
  return leaving
}

async function editsOf(app, leaving, temporary, base) {
  const own = leaving.filter(({ id }) => app.record.modules.includes(id))
  const tree = own.length > 0 ? (await baseOf(app, temporary, { base })).tree : new Map()
  return Promise.all(
    leaving.map(async (module) => {
      const found = await editsOfModule(app.folder, module.id, tree)
      if (own.includes(module)) return { module, ...found }
      const files = app.record.added[module.id]?.files ?? {}
      return { module, ...found, edited: editedOf(found.ours, files) }
    }),
  )
}

function editedOf(ours, files) {
  const changed = [...ours].filter(([path, content]) => files[path] !== digest(content))
  return changed.map(([path]) => ({ path, what: files[path] ? 'changed' : 'added' }))
}

function refuse(edited) {
  throw new Stop(
    'Nothing was removed. With --force they go too, and the edits are kept as a patch.',
    ['These files were edited:', ...edited.map(({ path, what }) => `  ${path} (${what})`), ''],
    { edited },
  )
}

async function sharedWithout({ folder, record }, present, leaving) {
  const ids = leaving.map(({ id }) => id)
  const left = present.filter(({ id }) => !ids.includes(id))
  const isUsed = await createUses(folder, ids.map(folderOf))
  const isNeeded = (name) =>
    isUsed(name) || left.some((other) => other.dependencies[name] || other.devDependencies[name])
  const added = Object.entries(record.added).filter(([id]) => !ids.includes(id))
  const next = {
    ...record,
    modules: record.modules.filter((id) => !ids.includes(id)),
    added: Object.fromEntries(added),
  }
  return sharedFiles(
    { folder, record: next },
    {
      modules: left,
      edit: (manifest) =>
        leaving.reduce((text, module) => withoutPackagesOf(text, module, isNeeded), manifest),
      settings: (text) => leaving.reduce(withoutSettings, text),
    },
  )
}

function report(output, leaving, edits, shared, patches) {
  for (const { id } of leaving) output.say(`Removed ${id}: ${folderOf(id)}`)
  for (const path of shared.keys()) output.say(`Changed ${path}`)
  for (const path of patches.keys()) {
    output.say(`Your edits are in ${path}: after plinth add, git apply ${path} brings them back.`)
  }
  const tables = edits.flatMap(({ module, ours }) => statementsToDrop(module.id, ours))
  if (tables.length > 0) output.say('\nIts tables stay, with what is in them. To drop them:')
  for (const line of tables) output.say(`  ${line}`)
  return {
    removed: leaving.map(({ id }) => id),
    changed: [...shared.keys()],
    patches: [...patches.keys()],
    tables,
  }
}
