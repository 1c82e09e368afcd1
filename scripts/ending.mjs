const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const endings = new Set()
let ending = false

/**
 * Registers what has to be ended (a process, a lock, a folder) should a signal arrive first, and
 * returns the function that ends it in the ordinary way. With nothing registered no signal is
 * listened to: the server that `npm start` turns into has them to itself.
 */
export function atEnd(end) {
  if (endings.size === 0) listen()
  endings.add(end)
  return async () => {
    if (!endings.delete(end)) return
    try {
      await end()
    } finally {
      if (endings.size === 0 && !ending) unlisten()
    }
  }
}

export async function endEverything() {
  for (const end of [...endings].reverse()) {
    endings.delete(end)
    await end().catch(() => {})
  }
  if (!ending) unlisten()
}

/** True once a signal arrived: what fails from then on fails because we are ending it. */
export function isEnding() {
  return ending
}

function listen() {
  for (const signal of Object.keys(exitCodes)) process.on(signal, endAndExit)
}

function unlisten() {
  for (const signal of Object.keys(exitCodes)) process.off(signal, endAndExit)
}

async function endAndExit(signal) {
  if (ending) return
  ending = true
  if (process.stdout.isTTY) process.stdout.write('\n')
  await endEverything()
  process.exit(exitCodes[signal])
}
