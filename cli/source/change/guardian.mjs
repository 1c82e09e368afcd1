import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clearAway, hasJournal, readPlan, undo } from './journal.mjs'

const thisFile = fileURLToPath(import.meta.url)

/**
 * A second process that waits for the first to end. It sees that by its own input closing, which
 * happens however the first one ends, SIGKILL included.
 */
export async function startGuardian(app) {
  const child = spawn(process.execPath, [thisFile, app, String(process.pid)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  await once(child.stdout, 'data')
  const ended = once(child, 'exit')
  return {
    async dismiss() {
      child.stdin.end()
      await ended
    },
  }
}

async function watch(app, pid) {
  process.stdout.write('watching\n')
  process.stdin.resume()
  await once(process.stdin, 'end')
  // Without a journal the first process has finished what it began, or never began.
  const plan = hasJournal(app) ? await readPlan(app) : undefined
  if (plan?.pid === pid) await undo(app)
  await clearAway(app, pid)
}

if (process.argv[1] === thisFile) {
  // Ctrl-C reaches everything in the terminal; this one has work to do then.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  await watch(process.argv[2], Number(process.argv[3]))
}
