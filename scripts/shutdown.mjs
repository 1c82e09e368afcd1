const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const tasks = new Set()
let shuttingDown = false

/**
 * Registers a task (stop a process, remove a lock or a folder) to run on a signal. Returns a function
 * that runs the task now and unregisters it. While no task is registered no signal handler is
 * installed, because the server that `npm start` becomes handles signals itself.
 */
export function onShutdown(task) {
  if (tasks.size === 0) addSignalHandlers()
  tasks.add(task)
  return async () => {
    if (!tasks.delete(task)) return
    try {
      await task()
    } finally {
      if (tasks.size === 0 && !shuttingDown) removeSignalHandlers()
    }
  }
}

export async function shutDown() {
  for (const task of [...tasks].reverse()) {
    tasks.delete(task)
    await task().catch(() => {})
  }
  if (!shuttingDown) removeSignalHandlers()
}

/** True after a signal: later failures are caused by the shutdown. */
export function isShuttingDown() {
  return shuttingDown
}

function addSignalHandlers() {
  for (const signal of Object.keys(exitCodes)) process.on(signal, shutDownAndExit)
}

function removeSignalHandlers() {
  for (const signal of Object.keys(exitCodes)) process.off(signal, shutDownAndExit)
}

async function shutDownAndExit(signal) {
  if (shuttingDown) return
  shuttingDown = true
  if (process.stdout.isTTY) process.stdout.write('\n')
  await shutDown()
  process.exit(exitCodes[signal])
}
