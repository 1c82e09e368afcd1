import { CommandError } from './command-error.mjs'

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** Undo what was prepared outside of the app. They run on a signal, so they are synchronous. */
const cleanups = new Set()
let phase = 'preparing'
let received

/**
 * Before a command changes files, Ctrl-C ends it at once. While it changes them, it rolls back
 * (refuseIfInterrupted). After that, it ends as usual.
 */
export function handleSignals(output) {
  for (const signal of Object.keys(exitCodes)) {
    process.on(signal, () => {
      received ??= signal
      if (phase !== 'preparing') return
      cleanUp()
      output.fail(canceled('\nCanceled. Nothing was changed.'))
      process.exit(exitCodes[signal])
    })
  }
}

/** Repeated, because writes that had started may end after the first round. */
function cleanUp() {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let round = 0; round < 3; round += 1) {
    for (const cleanup of [...cleanups].reverse()) cleanup()
    Atomics.wait(pause, 0, 0, 20)
  }
}

/** Returns a function that runs the cleanup now instead of on a signal. */
export function onInterrupt(cleanup) {
  cleanups.add(cleanup)
  return () => {
    if (cleanups.delete(cleanup)) cleanup()
  }
}

export function beginChanges() {
  phase = 'changing'
}

export function endChanges() {
  phase = 'changed'
}

export function refuseIfInterrupted() {
  if (received) throw canceled('\nCanceled. The changes were rolled back: nothing was changed.')
}

export function canceled(message) {
  return Object.assign(new CommandError(message), { exitCode: exitCodes[received ?? 'SIGINT'] })
}
