import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beginChanges, endChanges, refuseIfInterrupted } from '../interrupt.mjs'
import {
  commitJournal,
  hasJournal,
  readPlan,
  replaceFile,
  rollBack,
  writeJournal,
} from './journal.mjs'
import { recoverIfNeeded } from './recover.mjs'
import { startWatchdog } from './watchdog.mjs'

/**
 * Makes all of these changes or none. Ctrl-C rolls them back. If this process is killed, the
 * watchdog does; if the machine fails, the next command.
 *
 * @param {Map<string, Buffer | null>} changes
 */
export async function applyChanges(app, changes) {
  await recoverIfNeeded(app)
  const watchdog = await startWatchdog(app)
  try {
    beginChanges()
    await writeJournal(app, changes)
    for (const [path, content] of changes) {
      refuseIfInterrupted()
      if (content === null) await remove(app, path)
      else await replaceFile(join(app, path), content)
    }
    refuseIfInterrupted()
    await commitJournal(app)
    endChanges()
  } catch (error) {
    if (await ownsJournal(app)) await rollBack(app)
    throw error
  } finally {
    await watchdog.stop()
  }
}

async function ownsJournal(app) {
  return hasJournal(app) && (await readPlan(app)).pid === process.pid
}

/** Also removes the folders that become empty. */
async function remove(app, path) {
  await rm(join(app, path), { force: true })
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const wasEmpty = await rmdir(join(app, folder)).then(
      () => true,
      () => false,
    )
    if (!wasEmpty) return
  }
}
