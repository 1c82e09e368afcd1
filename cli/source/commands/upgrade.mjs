import { join } from 'node:path'
import { readAppFiles } from '../app/edits.mjs'
import { installedModules } from '../app/installed.mjs'
import { openApp, recordFile, recordText } from '../app/record.mjs'
import { renderBase } from '../app/render-base.mjs'
import { keepForUndo } from '../app/undo.mjs'
import { CommandError } from '../command-error.mjs'
import { changelogBetween } from '../merge/changelog.mjs'
import { mergeTrees } from '../merge/merge-trees.mjs'
import { localChange } from '../origin/local-origin.mjs'
import { recordedOrigin } from '../origin/origin.mjs'
import { renderVersion } from '../origin/render-version.mjs'
import { resolveTarget } from '../origin/resolve-version.mjs'
import { run as runProgram } from '../programs.mjs'
import { modulesFile } from '../template/generated.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'
import { writeTree } from '../tree.mjs'

export async function run({ flags, output }) {
  if (flags.undo) {
    const undo = await import('./undo-upgrade.mjs')
    return undo.run({ flags, output })
  }
  const app = await openApp()
  await recoverIfNeeded(app.folder)
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
    const labels = ['this app', `Plinth ${app.record.version}`, `Plinth ${target.version}`]
    const files = await output.withProgress('Merging', () =>
      merge(app, base.tree, target.tree, labels),
    )
    const record = { ...app.record, version: target.version, from: recordedOrigin(to) }
    const changes = await changesFor(app, files, target.tree, record, temporary)
    changes.set(...localChange(to, target.version))
    const result = {
      from: app.record.version,
      to: target.version,
      dryRun,
      files: files.map(({ path, outcome, why }) => ({ path, outcome, why })),
      conflicts: files.filter(({ outcome }) => outcome === 'conflict').map(({ path }) => path),
    }
    const undo = await keepForUndo(app.folder, changes, { from: result.from, to: result.to })
    if (!dryRun) await applyChanges(app.folder, new Map([...changes, ...undo]))
    report(output, result, await changelogBetween(target.cli, app.record.version, target.version))
    return { ...result, exitCode: result.conflicts.length > 0 && !dryRun ? 2 : 0 }
  })
}

async function merge(app, base, theirs, labels) {
  const ours = await readAppFiles(app.folder, new Set([...base.keys(), ...theirs.keys()]))
  return mergeTrees({ ours, base, theirs }, labels)
}

async function changesFor(app, files, theirs, record, temporary) {
  const changes = new Map(
    files
      .filter(({ content }) => content !== undefined)
      .map(({ path, content }) => [path, content]),
  )
  // Uses the script of the new version, because the format of src/modules.ts may have changed.
  const scripts = new Map(
    [...theirs].filter(([path]) => path.startsWith('packages/plinth/scripts/')),
  )
  await writeTree(join(temporary, 'target-scripts'), scripts)
  const ids = (await installedModules(app.folder)).map(({ id }) => id)
  const list = await modulesFile(ids, join(temporary, 'target-scripts'))
  changes.set('src/modules.ts', Buffer.from(list))
  changes.set(recordFile, Buffer.from(recordText(record)))
  return changes
}

/** With everything committed, the upgrade can be reviewed separately. */
async function refuseUncommitted(folder) {
  const { code, out } = await runProgram('git', ['status', '--porcelain'], { cwd: folder }).catch(
    () => ({ code: 1 }),
  )
  if (code !== 0)
    throw new CommandError(
      'This app is not in a git repository, so git diff cannot show what an upgrade changes. Run git init and commit, or use --force.',
    )
  if (out.length > 0) {
    throw new CommandError(
      'There are uncommitted changes. Commit them first, or use --force.',
      out.toString().trimEnd().split('\n'),
    )
  }
}

function report(output, { from, to, dryRun, files, conflicts }, changelog) {
  output.print(`\n${dryRun ? 'Would upgrade' : 'Upgraded'} from ${from} to ${to}`)
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
