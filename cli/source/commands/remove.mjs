import { coreTestsName, removeCoreTests } from '../app/core-tests.mjs'
import { findModuleEdits } from '../app/edits.mjs'
import { installedModules } from '../app/installed.mjs'
import { findPackageUsage } from '../app/package-usage.mjs'
import { openAppOrTemplate } from '../app/record.mjs'
import { renderBase } from '../app/render-base.mjs'
import { sharedFiles } from '../app/shared-files.mjs'
import { CommandError } from '../command-error.mjs'
import { digest } from '../module/digest.mjs'
import { createPatches } from '../module/patches.mjs'
import { dropStatements } from '../module/tables.mjs'
import { withoutPackagesOf } from '../package/manifest.mjs'
import { withoutSettings } from '../template/env-example.mjs'
import { moduleFolder } from '../template/modules.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

export async function run({ flags, names, output }) {
  if (names.length === 0)
    throw new CommandError('No module given. Run `npx plinth list` to see the installed modules.')
  const app = await openAppOrTemplate()
  await recoverIfNeeded(app.folder)
  if (names.includes(coreTestsName)) return removeCoreTests(app, { names, flags, output })
  const installed = await installedModules(app.folder)
  const removed = selectModules(names, installed)
  if (app.isTemplate) requireGenerated(app.record, removed)
  return withTemporaryFolder(async (temporary) => {
    const edits = await output.withProgress('Checking for edits', () =>
      findEdits(app, removed, temporary, flags.base),
    )
    const edited = edits.flatMap((module) => module.edited)
    if (edited.length > 0 && !flags.force) throw editedError(edited)
    const patches = await createPatches(app.folder, edits)
    const shared = await sharedFilesWithout(app, installed, removed)
    const deleted = edits.flatMap(({ ours }) => [...ours.keys()].map((path) => [path, null]))
    await applyChanges(app.folder, new Map([...patches, ...deleted, ...shared]))
    return report(output, removed, edits, shared, patches)
  })
}

function selectModules(names, installed) {
  const selected = names.map((name) => {
    const module = installed.find(({ id }) => id === name)
    if (!module) throw new CommandError(`Module ${name} is not installed.`)
    return module
  })
  for (const { id, requires } of installed) {
    const needed = names.includes(id) ? [] : requires.filter((other) => names.includes(other))
    if (needed.length > 0) {
      throw new CommandError(
        `Module ${id} requires ${needed.join(' and ')}. Remove ${id} too: npx plinth remove ${[...names, id].join(' ')}`,
        [],
        {
          neededBy: id,
        },
      )
    }
  }
  return selected
}

/** The template's own modules have no record to compare them with. */
function requireGenerated({ added }, removed) {
  const other = removed.find(({ id }) => !Object.hasOwn(added, id))
  if (other === undefined) return
  throw new CommandError(
    `Module ${other.id} was not generated in this clone of the template. To remove it here, delete ${moduleFolder(other.id)} and run npm run modules.`,
  )
}

async function findEdits(app, removed, temporary, base) {
  const fromTemplate = removed.filter(({ id }) => app.record.modules.includes(id))
  const needsBase = fromTemplate.length > 0
  const tree = needsBase ? (await renderBase(app, temporary, { base })).tree : new Map()
  return Promise.all(
    removed.map(async (module) => {
      const found = await findModuleEdits(app.folder, module.id, tree)
      if (fromTemplate.includes(module)) return { module, ...found }
      const files = app.record.added[module.id]?.files ?? {}
      return { module, ...found, edited: editsByDigest(found.ours, files) }
    }),
  )
}

function editsByDigest(ours, files) {
  const changed = [...ours].filter(([path, content]) => files[path] !== digest(content))
  return changed.map(([path]) => ({ path, what: files[path] ? 'changed' : 'added' }))
}

function editedError(edited) {
  return new CommandError(
    'Nothing was removed. Use --force to remove these files; your edits are saved as a patch.',
    ['Edited files:', ...edited.map(({ path, what }) => `  ${path} (${what})`), ''],
    { edited },
  )
}

async function sharedFilesWithout(app, installed, removed) {
  const { folder, record } = app
  const ids = removed.map(({ id }) => id)
  const left = installed.filter(({ id }) => !ids.includes(id))
  const isUsed = await findPackageUsage(folder, ids.map(moduleFolder))
  const isNeeded = (name) =>
    isUsed(name) || left.some((other) => other.dependencies[name] || other.devDependencies[name])
  const added = Object.entries(record.added).filter(([id]) => !ids.includes(id))
  const next = {
    ...record,
    modules: record.modules.filter((id) => !ids.includes(id)),
    added: Object.fromEntries(added),
  }
  return sharedFiles(
    { ...app, record: next },
    {
      modules: left,
      edit: (manifest) =>
        removed.reduce((text, module) => withoutPackagesOf(text, module, isNeeded), manifest),
      settings: (text) => removed.reduce(withoutSettings, text),
    },
  )
}

function report(output, removed, edits, shared, patches) {
  for (const { id } of removed) output.print(`Removed ${id}: ${moduleFolder(id)}`)
  for (const [path, content] of shared) output.print(`${content ? 'Changed' : 'Deleted'} ${path}`)
  for (const path of patches.keys()) {
    output.print(
      `Saved your edits in ${path}. To restore them: npx plinth add, then git apply ${path}`,
    )
  }
  const tables = edits.flatMap(({ module, ours }) => dropStatements(module.id, ours))
  if (tables.length > 0) output.print('\nThe tables and their data were kept. To drop them:')
  for (const line of tables) output.print(`  ${line}`)
  return {
    removed: removed.map(({ id }) => id),
    changed: [...shared.keys()],
    patches: [...patches.keys()],
    tables,
  }
}
