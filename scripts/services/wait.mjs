import { setTimeout as pause } from 'node:timers/promises'
import { Stop } from '../failure.mjs'

/** Waits until `answers` is true, as long as the process lives; else stops with what it said. */
export async function waitFor(name, { exited, output = [] }, answers, limit = 60_000) {
  let over = false
  exited.then(() => {
    over = true
  })
  const deadline = performance.now() + limit
  while (!(await answers())) {
    if (over) throw new Stop(`${name} ended instead of starting.`, output)
    if (performance.now() > deadline) throw new Stop(`${name} did not start.`, output)
    await pause(50)
  }
}

/** Keeps the last lines that a process says, to show should it fail. */
export function keepOutput(child, most = 60) {
  const output = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output.push(...text.trimEnd().split('\n'))
      output.splice(0, output.length - most)
    })
  }
  return output
}
