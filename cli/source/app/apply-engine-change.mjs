import { enginePath } from '../engine/installed-engine.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'
import { conflictsIn, mergeIntoApp, readOwnFiles } from './merge-into-app.mjs'
import { recordFile, recordText } from './record.mjs'
import { refuseUncommitted } from './refuse-uncommitted.mjs'
import { renderBase } from './render-base.mjs'

/**
 * Gives the app the sources of its engine, or the package of it: what differs between an app of its version with
 * the one and with the other. `refuse` gets the files of the app as the template wrote them.
 */
export async function applyEngineChange(app, { flags, output, ejected, refuse }) {
  await recoverIfNeeded(app.folder)
  if (!flags.force) await refuseUncommitted(app.folder)
  return withTemporaryFolder(async (temporary) => {
    const { base, theirs } = await output.withProgress('Reading the template', () =>
      renderBoth(app, temporary, flags.base, ejected),
    )
    await refuse(base)
    const ours = await readOwnFiles(app, base, theirs)
    const label = `Plinth ${app.record.version}`
    const labels = ['this app', label, label]
    const { files, changes } = await mergeIntoApp(ours, { base, theirs, labels })
    changes.set(recordFile, Buffer.from(recordText({ ...app.record, ejected })))
    await applyChanges(app.folder, changes)
    const conflicts = conflictsIn(files)
    for (const path of conflicts) output.print(`Conflict, with git conflict markers: ${path}`)
    return {
      ejected,
      engine: enginePath(theirs),
      conflicts,
      theirs,
      exitCode: conflicts.length > 0 ? 2 : 0,
    }
  })
}

async function renderBoth(app, temporary, base, ejected) {
  const now = await renderBase(app, `${temporary}/now`, { base, ejected: !ejected })
  const next = await renderBase(app, `${temporary}/next`, { base, ejected })
  return { base: now.tree, theirs: next.tree }
}
