import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { createPatches } from '../module/patches.mjs'
import { coreTestsFolder } from '../template/excluded.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { readTree, subtree } from '../tree.mjs'
import { recordFile, recordText } from './record.mjs'
import { renderBase } from './render-base.mjs'

/** For an app that changes core for good: `plinth add core-tests`. */
export const coreTestsName = 'core-tests'

export async function addCoreTests(app, { names, flags, output }) {
  requireAlone(names)
  if (app.record.coreTests) throw new CommandError(`${coreTestsName} are already installed.`)
  if (existsSync(join(app.folder, coreTestsFolder))) {
    throw new CommandError(`Folder ${coreTestsFolder} already exists. Move or delete it first.`)
  }
  return withTemporaryFolder(async (temporary) => {
    const files = await output.withProgress("Reading core's tests", () =>
      readCoreTests(app, temporary, flags.base),
    )
    await applyChanges(app.folder, new Map([...files, recordChange(app, true)]))
    output.print(`Added ${coreTestsName}: ${files.size} files in ${coreTestsFolder}`)
    output.print('\nNext: npm test runs them with all other tests, and upgrades merge them.')
    return { added: [{ id: coreTestsName }], changed: [recordFile], settings: [] }
  })
}

export async function removeCoreTests(app, { names, flags, output }) {
  requireAlone(names)
  if (!app.record.coreTests) throw new CommandError(`${coreTestsName} are not installed.`)
  return withTemporaryFolder(async (temporary) => {
    const edits = await output.withProgress('Checking for edits', () =>
      findEdits(app, temporary, flags.base),
    )
    if (edits.edited.length > 0 && !flags.force) throw editedError(edits.edited)
    const patches = await createPatches(app.folder, [{ module: { id: coreTestsName }, ...edits }])
    const deleted = [...edits.ours.keys()].map((path) => [path, null])
    const saved = patches.map(({ path, content }) => [path, content])
    await applyChanges(app.folder, new Map([...saved, ...deleted, recordChange(app, false)]))
    output.print(`Removed ${coreTestsName}: ${coreTestsFolder}`)
    for (const { path } of patches) output.print(`Saved your edits in ${path}.`)
    return {
      removed: [coreTestsName],
      changed: [recordFile],
      patches: patches.map(({ path }) => path),
    }
  })
}

export async function readCoreTests(app, temporary, base) {
  const { tree } = await renderBase(app, temporary, { base, coreTests: true })
  return subtree(tree, coreTestsFolder)
}

export function coreTestsLine({ coreTests }) {
  const place = coreTests ? `in ${coreTestsFolder}` : 'fetched by npm test if core changes'
  return `\nCore's tests: ${place}`
}

function recordChange({ record }, coreTests) {
  return [recordFile, Buffer.from(recordText({ ...record, coreTests }))]
}

async function findEdits(app, temporary, base) {
  const found = await readTree(join(app.folder, coreTestsFolder)).catch(() => new Map())
  const ours = new Map([...found].map(([path, content]) => [`${coreTestsFolder}/${path}`, content]))
  const installed = await readCoreTests(app, temporary, base)
  const edited = [...ours]
    .filter(([path, content]) => !installed.get(path)?.equals(content))
    .map(([path]) => ({ path, what: installed.has(path) ? 'changed' : 'added' }))
  return { ours, installed, edited }
}

function editedError(edited) {
  return new CommandError(
    'Nothing was removed. Use --force to remove these files; your edits are saved as a patch.',
    ['Edited files:', ...edited.map(({ path, what }) => `  ${path} (${what})`), ''],
    { edited },
  )
}

function requireAlone(names) {
  if (names.length > 1) throw new CommandError(`Pass ${coreTestsName} without other names.`)
}
