import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './send.mjs'

/** Others are served promptly. Generous, because the machine may be busy with other work. */
const maxMs = 2000

/**
 * Polls the health check while `work` runs, and returns the responses that were wrong or late. Other work
 * of the server may add to the time that is acceptable.
 */
export async function healthDuring(base, work, addedMs = 0) {
  let running = true
  const finished = work.finally(() => {
    running = false
  })
  const evidence = []
  do {
    const started = performance.now()
    const status = await send(base, '/api/health').then(
      (response) => response.status,
      (error) => error.message,
    )
    const milliseconds = Math.round(performance.now() - started)
    if (status !== 200 || milliseconds > maxMs + addedMs) {
      evidence.push(`/api/health responded with ${status} after ${milliseconds} ms`)
    }
    await sleep(20)
  } while (running)
  await finished
  return evidence
}
