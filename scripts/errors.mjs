import { root } from './paths.mjs'
import { isShuttingDown, shutDown } from './processes.mjs'
import { printError } from './terminal.mjs'

/** An expected failure. It is printed as `details`, then one line with the message; no stack trace. */
export class CommandError extends Error {
  constructor(message, details = []) {
    super(message)
    this.details = details
  }
}

export async function exitWithError(error) {
  if (isShuttingDown()) return
  for (const detail of error.details ?? []) printError(detail)
  printError(errorMessage(error))
  await shutDown()
  process.exitCode = 1
}

export function errorMessage(error) {
  if (error instanceof CommandError) return error.message
  return (
    errorCodeMessage(error.code, error.path) ??
    (error instanceof Error ? error.stack : String(error))
  )
}

export function errorCodeMessage(code, path = root) {
  if (code === 'ENOSPC') return `Disk full: cannot write ${path}. Free some space and try again.`
  if (code === 'EROFS') return `Read-only file system: cannot write ${path}.`
  if (code === 'EACCES' || code === 'EPERM') return `Permission denied: cannot write ${path}.`
  return undefined
}
