import { openApp } from '../app/record.mjs'
import { deleteUndo, readUndo } from '../app/undo.mjs'
import { CommandError } from '../command-error.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

/** `plinth upgrade --undo`: restores every file that the last upgrade changed, added or deleted. */
export async function run({ flags, output }) {
  if (flags.to ?? flags.base) throw new CommandError('--undo takes neither --to nor --base.')
  const { folder } = await openApp()
  await recoverIfNeeded(folder)
  const undo = await readUndo(folder)
  if (!undo) {
    throw new CommandError(
      'There is no upgrade to undo on this machine. If the upgrade was committed, use git revert.',
    )
  }
  const { from, to, changes, edited } = undo
  if (edited.length > 0 && !flags.force) {
    throw new CommandError(
      'Nothing was undone, because these files were edited after the upgrade. Use --force to lose those edits.',
      [...edited.map((path) => `  ${path}`), ''],
      { edited },
    )
  }
  const dryRun = flags['dry-run'] === true
  if (!dryRun) await applyChanges(folder, new Map([...changes, ...(await deleteUndo(folder))]))
  const removed = [...changes].filter(([, content]) => content === null).map(([path]) => path)
  const restored = [...changes.keys()].filter((path) => !removed.includes(path))
  report(output, { from, to, dryRun, restored, removed })
  return { from: to, to: from, dryRun, restored, removed }
}

function report(output, { from, to, dryRun, restored, removed }) {
  output.print(`${dryRun ? 'Would undo' : 'Undid'} the upgrade from ${from} to ${to}`)
  output.print(`  ${restored.length} restored`)
  output.print(`  ${removed.length} removed, which the upgrade had added`)
  output.print(
    dryRun ? '\nNothing was changed.' : '\nNext: run npm start to install and build again.',
  )
}
