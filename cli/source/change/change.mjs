import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startGuardian } from './guardian.mjs'
import {
  forgetJournal,
  hasJournal,
  readPlan,
  undo,
  writeInPlace,
  writeJournal,
} from './journal.mjs'
import { recoverIfNeeded } from './recover.mjs'

/**
 * Makes all of these changes or none. Should this process be ended half-way, the guardian puts the
 * tree back; should the whole machine, the next command does.
 *
 * @param {Map<string, Buffer | null>} changes
 */
export async function changeTree(app, changes) {
  await recoverIfNeeded(app)
  const guardian = await startGuardian(app)
  try {
    await writeJournal(app, changes)
    for (const [path, content] of changes) {
      if (content === null) await remove(app, path)
      else await writeInPlace(join(app, path), content)
    }
    await forgetJournal(app)
  } catch (error) {
    if (await isOurs(app)) await undo(app)
    throw error
  } finally {
    await guardian.dismiss()
  }
}

async function isOurs(app) {
  return hasJournal(app) && (await readPlan(app)).pid === process.pid
}

/** With the folders that nothing is left in. */
async function remove(app, path) {
  await rm(join(app, path), { force: true })
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const isGone = await rmdir(join(app, folder)).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}
