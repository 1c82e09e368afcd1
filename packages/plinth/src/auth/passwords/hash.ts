import { Worker } from 'node:worker_threads'
import { hash, type Options } from '@node-rs/argon2'
import { canLowerPriority, createHashingQueue } from '#auth/passwords/queue'
import { lazy } from '#config/lazy'
import type { Scope } from '#http/scope'
import { log } from '#log/log'
import { ipRange } from '#rate-limits/rate-limit'

const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashingQueue = lazy(() => createHashingQueue())
const threads = createHashingThreads()

/**
 * Reserves a place in the queue for the whole of `work`; throws `HashingQueueFull`. Every client has
 * a share of the places.
 */
export function reserveHash<Result>(
  { ip }: Pick<Scope, 'ip'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return hashingQueue().reserve(ipRange(ip), work)
}

export function hashingUse() {
  return hashingQueue().use()
}

export function hashPassword(password: string): Promise<string> {
  return hashingQueue().run(() => threads.hash(password, argon2id))
}

/** Without a hash the same work is done: the response time must not reveal whether an account exists. */
export async function verifyPassword(
  hashed: string | undefined,
  password: string,
): Promise<boolean> {
  const expected = hashed ?? (await dummyHash())
  const matches = await hashingQueue().run(() => threads.verify(expected, password))
  return matches && hashed !== undefined
}

/** Created at start, so that no sign-in takes longer because of it. */
export const dummyHash = lazy(() => hash(crypto.randomUUID(), argon2id))

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
