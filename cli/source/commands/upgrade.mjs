import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installedModules } from '../app/installed.mjs'
import { conflictsIn, mergeIntoApp, readOwnFiles } from '../app/merge-into-app.mjs'
import { openApp, recordFile, recordText } from '../app/record.mjs'
import { refuseUncommitted } from '../app/refuse-uncommitted.mjs'
import { renderBase } from '../app/render-base.mjs'
import { keepForUndo } from '../app/undo.mjs'
import { CommandError } from '../command-error.mjs'
import { engineVersion, hasOtherEngine, withEngineOf } from '../engine/installed-engine.mjs'
import { changelogBetween } from '../merge/changelog.mjs'
import { localChange } from '../origin/local-origin.mjs'
import { recordedOrigin } from '../origin/origin.mjs'
import { modulesFileOfVersion, renderVersion } from '../origin/render-version.mjs'
import { resolveTarget } from '../origin/resolve-version.mjs'
import { engineFolder } from '../template/excluded.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

export async function run({ flags, output }) {
  if (flags.undo) {
    const undo = await import('./undo-upgrade.mjs')
    return undo.run({ flags, output })
  }
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  refuseEarlierLayout(app)
  if (flags.engine) refuseEjected(app.record)
  const dryRun = flags['dry-run'] === true
  if (!dryRun && !flags.force) await refuseUncommitted(app.folder)
  return withTemporaryFolder(async (temporary) => {
    const to = await resolveTarget(flags.to, app, temporary)
    const { base, target } = await output.withProgress(
      'Reading both versions of the template',
      async () => ({
        base: await renderBase(app, temporary, flags),
        target: await renderVersion(to, app.record, join(temporary, 'target')),
      }),
    )
    const merge = flags.engine ? mergeEngine : mergeTemplate
    const merged = await output.withProgress('Merging', () => merge(app, base, target, to))
    const { from, files, changes } = merged
    const result = {
      from,
      to: merged.to,
      dryRun,
      files: files.map(({ path, outcome, why }) => ({ path, outcome, why })),
      conflicts: conflictsIn(files),
    }
    const undo = await keepForUndo(app.folder, changes, { from, to: merged.to })
    if (!dryRun) await applyChanges(app.folder, new Map([...changes, ...undo]))
    const subject = flags.engine ? 'the engine ' : ''
    report(output, { ...result, subject }, await changelogBetween(target.cli, from, merged.to))
    return { ...result, exitCode: result.conflicts.length > 0 && !dryRun ? 2 : 0 }
  })
}

/** Before the first release, apps had the sources of the engine. */
function refuseEarlierLayout({ folder, record }) {
  const earlier = ['src/core', ...(record.ejected ? [] : [`${engineFolder}/src`])]
  const found = earlier.find((path) => existsSync(join(folder, path)))
  if (!found) return
  throw new CommandError(
    `This app was created before the first release of Plinth (it has ${found}) and cannot be converted. Create a new app and move your files to it.`,
  )
}

function refuseEjected({ ejected }) {
  if (!ejected) return
  throw new CommandError(
    'This app has the sources of the engine. npx plinth upgrade merges them with the rest.',
  )
}

/** Everything. An engine that was upgraded before is no edit of the app. */
async function mergeTemplate(app, base, target, to) {
  const ours = await readOwnFiles(app, base.tree, target.tree)
  const { files, changes } = await mergeIntoApp(ours, {
    base: hasOtherEngine(ours, base.tree) ? withEngineOf(base.tree, ours) : base.tree,
    theirs: target.tree,
    labels: labelsOf(app, target),
  })
  const ids = (await installedModules(app.folder)).map(({ id }) => id)
  // The new version writes it, because the format of src/modules.ts may have changed.
  changes.set('src/modules.ts', Buffer.from(await modulesFileOfVersion(target.cli, ids)))
  const record = { ...app.record, version: target.version, from: recordedOrigin(to) }
  changes.set(recordFile, Buffer.from(recordText(record)))
  changes.set(...localChange(to, target.version))
  return { from: app.record.version, to: target.version, files, changes }
}

/** The package, and the packages that it shares with the app. All other files stay as they are. */
async function mergeEngine(app, { tree }, target) {
  const ours = await readOwnFiles(app, tree)
  const base = withEngineOf(tree, ours)
  const theirs = withEngineOf(base, target.tree)
  const merged = await mergeIntoApp(ours, { base, theirs, labels: labelsOf(app, target) })
  return { from: engineVersion(ours), to: engineVersion(target.tree), ...merged }
}

function labelsOf({ record }, target) {
  return ['this app', `Plinth ${record.version}`, `Plinth ${target.version}`]
}

function report(output, { subject, from, to, dryRun, files, conflicts }, changelog) {
  const verb = dryRun ? 'Would upgrade' : 'Upgraded'
  output.print(`\n${verb} ${subject}from ${from} to ${to}`)
  const labels = {
    updated: 'updated',
    added: 'added',
    deleted: 'deleted',
    merged: 'merged with your edits',
  }
  for (const [outcome, label] of Object.entries(labels)) {
    const count = files.filter((file) => file.outcome === outcome).length
    if (count > 0) output.print(`  ${count} ${label}`)
  }
  if (files.length === 0) output.print('  No files changed.')
  for (const { path, outcome, why } of files) {
    if (outcome === 'kept') output.print(`  ${path}: not changed (${why})`)
  }
  if (changelog) output.print(`\n${changelog}`)
  if (conflicts.length > 0) {
    output.print('\nConflicts, with git conflict markers:')
    for (const path of conflicts) output.print(`  ${path}`)
  }
  if (dryRun) return output.print('\nNothing was changed.')
  const first = conflicts.length > 0 ? 'resolve the conflicts, then ' : ''
  output.print(`\nNext: ${first}review with git diff, run npm test, and commit.`)
  output.print('To undo it: npx plinth upgrade --undo')
}
