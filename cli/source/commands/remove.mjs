import { findAddedEdits, findModuleEdits } from '../app/edits.mjs'
import { installedModules, requireInstalled } from '../app/installed.mjs'
import { deleteOriginals } from '../app/originals.mjs'
import { findPackageUsage } from '../app/package-usage.mjs'
import { openAppOrTemplate } from '../app/record.mjs'
import { renderBase } from '../app/render-base.mjs'
import { sharedFiles } from '../app/shared-files.mjs'
import { CommandError } from '../command-error.mjs'
import { createPatches } from '../module/patches.mjs'
import { findReferences } from '../module/references.mjs'
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
  const installed = await installedModules(app.folder)
  const removed = selectModules(names, installed)
  if (app.isTemplate) requireGenerated(app.record, removed)
  requireAcceptance(removed, names, flags)
  return withTemporaryFolder(async (temporary) => {
    const edits = await output.withProgress('Checking for edits', () =>
      findEdits(app, removed, temporary, flags.base),
    )
    const staying = installed.filter((module) => !removed.includes(module))
    const references = await findReferences(app.folder, edits, staying)
    if (!flags.force) refuseReferences(references, names)
    if (!flags.force) refuseEdited(edits)
    const patches = await createPatches(app.folder, edits)
    const record = recordWithout(app.record, names)
    const shared = await sharedFilesWithout({ ...app, record }, installed, removed)
    const deleted = edits.flatMap(({ ours }) => [...ours.keys()].map((path) => [path, null]))
    const saved = patches.map(({ path, content }) => [path, content])
    const originals = deleteOriginals(app.record, record)
    await applyChanges(app.folder, new Map([...saved, ...deleted, ...shared, ...originals]))
    return report(output, removed, { edits, shared, patches, references })
  })
}

function selectModules(names, installed) {
  requireInstalled(names, installed)
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
  return installed.filter(({ id }) => names.includes(id))
}

/** The template's own modules have no record to compare them with. */
function requireGenerated({ added }, removed) {
  const other = removed.find(({ id }) => !Object.hasOwn(added, id))
  if (other === undefined) return
  throw new CommandError(
    `Module ${other.id} was not generated in this clone of the template. To remove it here, delete ${moduleFolder(other.id)} and run npm run modules.`,
  )
}

/** Which users it protects is in databases that this command does not know. */
function requireAcceptance(removed, names, flags) {
  const accepted = listOf(flags[acceptance])
  const open = removed.filter(({ id, protects }) => protects && !accepted.includes(id))
  if (open.length === 0) return
  const ids = removed.filter(({ protects }) => protects).map(({ id }) => id)
  const force = flags.force ? ' --force' : ''
  throw new CommandError(
    [
      ...open.map(
        ({ id, protects }) =>
          `Nothing was removed: module ${id} protects users with ${protects}. Without it they no longer do, and a password alone signs in.`,
      ),
      'This command cannot see your databases. A server whose database has such users does not start without the module.',
      `To remove it: npx plinth remove ${names.join(' ')}${force} --${acceptance} ${ids.join(',')}`,
    ].join('\n'),
    [],
    { protecting: open.map(({ id }) => id) },
  )
}

const acceptance = 'accept-removed-protection'

function listOf(text = '') {
  return text.split(',').map((name) => name.trim())
}

async function findEdits(app, removed, temporary, base) {
  const fromTemplate = removed.filter(({ id }) => app.record.modules.includes(id))
  const needsBase = fromTemplate.length > 0
  const tree = needsBase ? (await renderBase(app, temporary, { base })).tree : new Map()
  return Promise.all(
    removed.map(async (module) => {
      if (fromTemplate.includes(module)) {
        return {
          module,
          isFromTemplate: true,
          ...(await findModuleEdits(app.folder, module.id, tree)),
        }
      }
      const added = app.record.added[module.id]
      const { ours, edited } = await findAddedEdits(app.folder, module.id, added ?? { files: {} })
      const lost = edited.filter(({ what }) => what !== 'deleted')
      return { module, isHandWritten: !added, ours, installed: new Map(), edited: lost }
    }),
  )
}

function refuseReferences(references, names) {
  if (references.length === 0) return
  const ids = [...new Set(references.map(({ id }) => id))]
  throw new CommandError(
    `Nothing was removed. Remove ${ids.join(' and ')} too: npx plinth remove ${[...names, ...ids].join(' ')}. Or use --force and change these files.`,
    [...references.map(({ id, path, refersTo }) => `${id} refers to ${refersTo}: ${path}`), ''],
    { references },
  )
}

function refuseEdited(edits) {
  const edited = edits.flatMap((module) => module.edited)
  if (edited.length === 0) return
  const lines = edits.flatMap(({ module, isHandWritten, ours, edited: files }) =>
    isHandWritten
      ? [`Written in this app: ${moduleFolder(module.id)} (files: ${ours.size})`]
      : files.map(({ path, what }) => `Edited: ${path} (${what})`),
  )
  throw new CommandError(
    'Nothing was removed. Use --force to remove these files; they are saved as a patch.',
    [...lines, ''],
    { edited },
  )
}

async function sharedFilesWithout(app, installed, removed) {
  const ids = removed.map(({ id }) => id)
  const left = installed.filter(({ id }) => !ids.includes(id))
  const isUsed = await findPackageUsage(app.folder, ids.map(moduleFolder))
  const isNeeded = (name) =>
    isUsed(name) || left.some((other) => other.dependencies[name] || other.devDependencies[name])
  return sharedFiles(app, {
    modules: left,
    edit: (manifest) =>
      removed.reduce((text, module) => withoutPackagesOf(text, module, isNeeded), manifest),
    settings: (text) => removed.reduce(withoutSettings, text),
  })
}

function recordWithout(record, ids) {
  const added = Object.entries(record.added).filter(([id]) => !ids.includes(id))
  return {
    ...record,
    modules: record.modules.filter((id) => !ids.includes(id)),
    added: Object.fromEntries(added),
  }
}

function report(output, removed, { edits, shared, patches, references }) {
  for (const { id } of removed) output.print(`Removed ${id}: ${moduleFolder(id)}`)
  for (const [path, content] of shared) output.print(`${content ? 'Changed' : 'Deleted'} ${path}`)
  for (const patch of patches) output.print(restoreHint(patch, shared))
  for (const { id, protects } of removed) {
    if (protects) output.print(protectionHint(id, protects))
  }
  for (const reference of references) output.print(referenceHint(reference))
  const tables = edits.flatMap(({ module, ours }) => dropStatements(module.id, ours))
  if (tables.length > 0) output.print('\nThe tables and their data were kept. To drop them:')
  for (const line of tables) output.print(`  ${line}`)
  return {
    removed: removed.map(({ id }) => id),
    changed: [...shared.keys()],
    patches: patches.map(({ path }) => path),
    references,
    tables,
  }
}

function referenceHint({ id, path, refersTo }) {
  const consequence = path.endsWith('.sql') ? 'It fails in a new database.' : 'It does not compile.'
  return `\nModule ${id} refers to ${refersTo}: ${path}. ${consequence}`
}

function protectionHint(id, protects) {
  return `\nUsers with ${protects} are no longer protected. Where there are any, the server starts only with ACCEPT_REMOVED_PROTECTION=${id}, or after their tables were dropped.`
}

/** A patch of a template module has the edits, that of another module all of its files. */
function restoreHint({ path, module, isFromTemplate }, shared) {
  if (isFromTemplate) {
    return `Saved your edits in ${path}. To restore them: npx plinth add ${module.id}, then git apply ${path}`
  }
  const manifest = shared.has('package.json') && JSON.parse(shared.get('package.json').toString())
  const packages = Object.entries({ ...module.dependencies, ...module.devDependencies })
    .filter(([name]) => manifest && !manifest.dependencies[name] && !manifest.devDependencies[name])
    .map(([name, version]) => `${name}@${version}`)
  const install = packages.length > 0 ? `, then npm install ${packages.join(' ')}` : ''
  return `Saved ${module.id} in ${path}. To restore it: git apply ${path}, then npm run modules${install}`
}
