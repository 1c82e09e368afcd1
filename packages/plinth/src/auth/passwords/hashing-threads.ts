import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import { canLowerPriority } from '#auth/passwords/hashing-cores'
import { log } from '#log/log'

type Task = { password: string; options: Options } | { password: string; hashed: string }
type Outcome = { result: string | boolean } | { error: Error }

/**
 * Hashes in worker threads, which give way to the rest of the process where the system allows it. A
 * thread starts when none is idle, so that the hashing queue limits their number. One that exits is
 * replaced by the next hash.
 */
export function createHashingThreads(createWorker = createHashingWorker) {
  const idle = new Set<Worker>()

  return {
    hash: (password: string, options: Options) => run({ password, options }) as Promise<string>,
    verify: (hashed: string, password: string) => run({ password, hashed }) as Promise<boolean>,
  }

  async function run(task: Task): Promise<string | boolean> {
    const thread = takeIdle() ?? startThread()
    thread.ref()
    const outcome = await outcomeIn(thread, task)
    // Only a running hash keeps the process alive.
    thread.unref()
    idle.add(thread)
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }

  /** The one that was used last, so that few threads do the work while there is little. */
  function takeIdle(): Worker | undefined {
    const thread = [...idle].at(-1)
    if (thread) idle.delete(thread)
    return thread
  }

  function startThread(): Worker {
    const thread = createWorker()
    // Without a listener, an error of an idle thread would end the process.
    thread.on('error', (error) => log().error({ err: error }, 'hashing thread failed'))
    thread.once('exit', () => idle.delete(thread))
    return thread
  }
}

function createHashingWorker(): Worker {
  return new Worker(new URL('./worker.mjs', import.meta.url), {
    workerData: { lowPriority: canLowerPriority() },
    // Neither the settings nor a debugger or loader is for these threads.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  })
}

function outcomeIn(thread: Worker, task: Task): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const fail = (code: number) => reject(new Error(`hashing thread exited with code ${code}`))
    thread.once('exit', fail)
    thread.once('message', (outcome: Outcome) => {
      thread.off('exit', fail)
      resolve(outcome)
    })
    thread.postMessage(task)
  })
}
