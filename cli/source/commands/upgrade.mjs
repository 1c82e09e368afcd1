import { join } from 'node:path'
import { baseOf } from '../app/base.mjs'
import { readApp } from '../app/edits.mjs'
import { installedModules } from '../app/installed.mjs'
import { openApp, recordFile, recordText } from '../app/record.mjs'
import { changeTree } from '../change/change.mjs'
import { recoverIfNeeded } from '../change/recover.mjs'
import { mergeTrees } from '../merge/merge-trees.mjs'
import { newsBetween } from '../merge/news.mjs'
import { findVersion } from '../origin/find-version.mjs'
import { renderAt } from '../origin/versions.mjs'
import { run as runProgram } from '../programs.mjs'
import { Stop } from '../stop.mjs'
import { modulesFile } from '../template/generated.mjs'
import { withTemporaryFolder } from '../temporary.mjs'
import { writeTree } from '../tree.mjs'

export async function run({ flags, output }) {
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  const dryRun = flags['dry-run'] === true
  if (!dryRun && !flags.force) await refuseUncommitted(app.folder)
  return withTemporaryFolder(async (temporary) => {
    const to = await findVersion(flags.to, app.record.from)
    const { base, target } = await output.during(
      'Fetching both versions of the template',
      async () => ({
        base: await baseOf(app, temporary, flags),
        target: await renderAt(to, app.record, join(temporary, 'target')),
      }),
    )
    const labels = ['this app', `Plinth ${app.record.version}`, `Plinth ${target.version}`]
    const files = await output.during('Merging', () => merge(app, base.tree, target.tree, labels))
    const record = { ...app.record, version: target.version, from: to }
    const changes = await changesFor(app, files, target.tree, record, temporary)
    const result = {
      from: app.record.version,
      to: target.version,
      dryRun,
      files: files.map(({ path, outcome, why }) => ({ path, outcome, why })),
      conflicts: files.filter(({ outcome }) => outcome === 'conflict').map(({ path }) => path),
    }
    if (!dryRun) await changeTree(app.folder, changes)
    report(output, result, await newsBetween(target.cli, app.record.version, target.version))
    return { ...result, exitCode: result.conflicts.length > 0 && !dryRun ? 2 : 0 }
  })
}

async function merge(app, base, theirs, labels) {
  const ours = await readApp(app.folder, new Set([...base.keys(), ...theirs.keys()]))
  return mergeTrees({ ours, base, theirs }, labels)
}

async function changesFor(app, files, theirs, record, temporary) {
  const changes = new Map(
    files
      .filter(({ content }) => content !== undefined)
      .map(({ path, content }) => [path, content]),
  )
  // How the list of modules is written may have changed too: the new version's script is asked.
  const scripts = new Map([...theirs].filter(([path]) => path.startsWith('scripts/')))
  await writeTree(join(temporary, 'scripts-of-target'), scripts)
  const ids = (await installedModules(app.folder)).map(({ id }) => id)
  const list = await modulesFile(ids, join(temporary, 'scripts-of-target'))
  changes.set('src/modules.ts', Buffer.from(list))
  changes.set(recordFile, Buffer.from(recordText(record, app.folder)))
  return changes
}

/** So that what the upgrade did can be read, and undone, by itself. */
async function refuseUncommitted(folder) {
  const { code, out } = await runProgram('git', ['status', '--porcelain'], { cwd: folder }).catch(
    () => ({ code: 1 }),
  )
  if (code !== 0)
    throw new Stop(
      'This app is not in git: without it an upgrade cannot be undone. --force does it anyway.',
    )
  if (out.length > 0) {
    throw new Stop(
      'Commit your changes first, so that you can see what the upgrade did. --force does it anyway.',
      out.toString().trimEnd().split('\n'),
    )
  }
}

function report(output, { from, to, dryRun, files, conflicts }, news) {
  output.say(`\n${dryRun ? 'Would upgrade' : 'Upgraded'} from ${from} to ${to}`)
  const said = {
    updated: 'updated',
    added: 'added',
    deleted: 'deleted',
    merged: 'merged with your edits',
  }
  for (const [outcome, words] of Object.entries(said)) {
    const count = files.filter((file) => file.outcome === outcome).length
    if (count > 0) output.say(`  ${count} ${words}`)
  }
  if (files.length === 0) output.say('  No file of the template changed.')
  for (const { path, outcome, why } of files) {
    if (outcome === 'kept') output.say(`  ${path}: left as it is (${why})`)
  }
  if (news) output.say(`\n${news}`)
  if (conflicts.length > 0) {
    output.say(`\nConflicts, marked as git marks them (<<<<<<< to >>>>>>>), in:`)
    for (const path of conflicts) output.say(`  ${path}`)
  }
  if (dryRun) return output.say('\nNothing was changed.')
  const first = conflicts.length > 0 ? 'resolve the conflicts, then ' : ''
  output.say(`\nNext: ${first}git diff to read it, npm test to check it, git commit to keep it.`)
}
