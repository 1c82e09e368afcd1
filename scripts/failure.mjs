import { endEverything, isEnding } from './ending.mjs'
import { root } from './paths.mjs'
import { complain } from './terminal.mjs'

/** An expected failure: its message is the one line to read, `details` what may stand above it. */
export class Stop extends Error {
  constructor(message, details = []) {
    super(message)
    this.details = details
  }
}

export async function stopWith(error) {
  if (isEnding()) return
  for (const detail of error.details ?? []) complain(detail)
  complain(lineFor(error))
  await endEverything()
  process.exitCode = 1
}

export function lineFor(error) {
  if (error instanceof Stop) return error.message
  return (
    lineForCode(error.code, error.path) ?? (error instanceof Error ? error.stack : String(error))
  )
}

export function lineForCode(code, path = root) {
  if (code === 'ENOSPC') return `No room on disk: ${path} could not be written. Free some space.`
  if (code === 'EROFS') return `Read-only folder: ${path} cannot be written.`
  if (code === 'EACCES' || code === 'EPERM') {
    return `Read-only folder: no permission to write ${path}.`
  }
  return undefined
}
