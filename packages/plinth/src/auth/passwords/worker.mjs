import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

// On Linux, 0 is the calling thread. Elsewhere it is the whole process.
if (workerData.lowPriority) setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

parentPort.on('message', (task) => parentPort.postMessage(outcomeOf(task)))

function outcomeOf({ hashed, password, options }) {
  try {
    return { result: options ? hashSync(password, options) : verifySync(hashed, password) }
  } catch (error) {
    return { error }
  }
}
