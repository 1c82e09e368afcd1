import { onTestFinished } from 'vitest'
import { createLogger, log } from '@/core/log'

/** The lines of the log from now until the test ends, as objects. */
export function keepLog(): () => Record<string, unknown>[] {
  const lines: string[] = []
  const kept = createLogger('debug', { write: (line: string) => lines.push(line) })
  const store = globalThis as Record<symbol, unknown>
  const key = Symbol.for('plinth.log')
  log()
  const before = store[key]
  store[key] = { value: kept }
  onTestFinished(() => {
    store[key] = before
  })
  return () => lines.map((line) => JSON.parse(line))
}
