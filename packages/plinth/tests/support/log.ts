import { onTestFinished } from 'vitest'
import { createLogger, log } from '#log/log'

/** Captures the log until the test finishes; the returned function parses its lines. */
export function captureLog(level = 'debug'): () => Record<string, unknown>[] {
  const lines: string[] = []
  const capturing = createLogger(level, { write: (line: string) => lines.push(line) })
  const store = globalThis as Record<symbol, unknown>
  const key = Symbol.for('plinth.log')
  log()
  const previous = store[key]
  store[key] = { value: capturing }
  onTestFinished(() => {
    store[key] = previous
  })
  return () => lines.map((line) => JSON.parse(line))
}
