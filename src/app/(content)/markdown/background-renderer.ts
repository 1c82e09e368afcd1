import 'server-only'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** `too_complex`: the text exceeds a limit and always will. `busy`: try again later. */
export type Rendered = { html: string } | { reason: 'too_complex' | 'busy' }

type Limits = { timeoutMs: number; maxWaiting: number }

const defaults: Limits = { timeoutMs: 2000, maxWaiting: 32 }

const startTimeoutMs = 10_000

/**
 * Renders Markdown in one worker thread, which starts with the first text and is replaced if a text
 * takes too long or too much memory. It does not keep the process alive.
 */
export function createRenderer({ timeoutMs, maxWaiting } = defaults) {
  let worker: Promise<Worker> | undefined
  let previous: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async function render(text: string): Promise<Rendered> {
    if (waiting >= maxWaiting) return { reason: 'busy' }
    waiting += 1
    const rendered = previous.then(() => renderNext(text))
    previous = rendered.catch(() => {})
    try {
      return await rendered
    } finally {
      waiting -= 1
    }
  }

  async function renderNext(text: string): Promise<Rendered> {
    worker ??= startWorker(() => {
      worker = undefined
    })
    return convert(await worker, text, timeoutMs)
  }
}

async function startWorker(onExit: () => void): Promise<Worker> {
  const file = join(process.cwd(), 'src/app/(content)/markdown/worker.mjs')
  const worker = new Worker(file, {
    // A parser of untrusted text needs no secrets.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  })
  worker.unref()
  // Without a listener, an error of an idle worker would end the process.
  worker.on('error', () => {})
  worker.on('exit', onExit)
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(startTimeoutMs) })
    return worker
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

async function convert(worker: Worker, text: string, timeoutMs: number): Promise<Rendered> {
  try {
    const converted = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })
    worker.postMessage(text)
    const [{ html }] = (await converted) as [{ html: string | undefined }]
    return html === undefined ? { reason: 'too_complex' } : { html }
  } catch {
    await worker.terminate()
    return { reason: 'too_complex' }
  }
}
