import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command-error.mjs'
import { hasJournal, readPlan, rollBack } from './journal.mjs'

/** Rolls back an interrupted command and returns whether there was one. Waits for a running one. */
export async function recoverIfNeeded(app) {
  const deadline = Date.now() + 5_000
  while (hasJournal(app)) {
    const plan = await readPlan(app).catch(() => undefined)
    if (plan && !isAlive(plan.pid)) {
      await rollBack(app).catch((error) => {
        // The watchdog has already rolled back.
        if (hasJournal(app)) throw error
      })
      return true
    }
    if (Date.now() > deadline) {
      throw new CommandError(
        `Another plinth command is running here (process ${plan?.pid}). Try again when it has finished.`,
      )
    }
    await sleep(100)
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
