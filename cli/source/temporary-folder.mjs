import { rmSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const folders = new Set()

/** Removes the folder when the work is done or a signal stops the process. */
export async function withTemporaryFolder(work, parent = tmpdir(), prefix = 'plinth-') {
  const folder = await realpath(await mkdtemp(join(parent, prefix)))
  if (folders.size === 0) addSignalHandlers()
  folders.add(folder)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    folders.delete(folder)
  }
}

let hasSignalHandlers = false

function addSignalHandlers() {
  if (hasSignalHandlers) return
  hasSignalHandlers = true
  for (const [signal, code] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
      process.exit(code)
    })
  }
}
