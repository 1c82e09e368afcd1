import { setTimeout as wait } from 'node:timers/promises'
import { Stop } from '../stop.mjs'
import { hasJournal, readPlan, undo } from './journal.mjs'

/** True if there was something to put back. Waits for a command that is still under way. */
export async function recoverIfNeeded(app) {
  const patience = Date.now() + 5_000
  while (hasJournal(app)) {
    const plan = await readPlan(app).catch(() => undefined)
    if (plan && !isAlive(plan.pid)) {
      await undo(app).catch((error) => {
        // The guardian was quicker.
        if (hasJournal(app)) throw error
      })
      return true
    }
    if (Date.now() > patience) {
      throw new Stop(`Another plinth command is under way here (process ${plan?.pid}).`)
    }
    await wait(100)
  }
  return false
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
