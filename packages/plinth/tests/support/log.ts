import { onTestFinished } from 'vitest'
import { createLogger, log } from '#log/log'

/** Captures the log until the test finishes; the returned function parses its lines. */
export function captureLog(level = 'debug'): () => Record<string, unknown>[] {
  const lines: string[] = []
  const capturing = createLogger(level, { write: (line: string) => lines.push(line) })
  const previous = log()
  log.set(capturing)
  onTestFinished(() => log.set(previous))
  return () => lines.map((line) => JSON.parse(line))
}
