import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hasJournal, readPlan, removeWorkFiles, rollBack } from './journal.mjs'

const thisFile = fileURLToPath(import.meta.url)

/**
 * A second process that rolls back if the first one dies. Its standard input closes however the
 * first process exits, including by SIGKILL.
 */
export async function startWatchdog(app) {
  const child = spawn(process.execPath, [thisFile, app, String(process.pid)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  await once(child.stdout, 'data')
  const exited = once(child, 'exit')
  return {
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

async function watch(app, pid) {
  process.stdout.write('watching\n')
  process.stdin.resume()
  await once(process.stdin, 'end')
  // Without a journal the changes are complete, or had not started.
  const plan = hasJournal(app) ? await readPlan(app) : undefined
  if (plan?.pid === pid) await rollBack(app)
  await removeWorkFiles(app, pid)
}

if (process.argv[1] === thisFile) {
  // Ctrl-C reaches every process of the terminal; this one must stay to roll back.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  await watch(process.argv[2], Number(process.argv[3]))
}
