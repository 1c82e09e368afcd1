import { format as formatText, stripVTControlCharacters } from 'node:util'
import { isStartupError } from '#config/env'
import { log } from '#log/log'

/** Turns console output of Next and others into log lines that can be parsed. */
export function logConsole(): void {
  if (process.stdout.isTTY) return
  const info = (...args: unknown[]) => log().info(format(args))
  Object.assign(console, {
    log: info,
    info,
    debug: (...args: unknown[]) => log().debug(format(args)),
    warn: (...args: unknown[]) => log().warn(format(args)),
    error(...args: unknown[]) {
      if (!isLoggedElsewhere(args)) log().error(format(args))
    },
  })
}

/**
 * Next prints an error of a page as it was thrown, after a mark; onRequestError logs it with its request.
 * `logUncaught()` logs what no code has caught.
 */
function isLoggedElsewhere([mark, thrown]: unknown[]): boolean {
  if (!String(mark).includes('⨯') || thrown === undefined) return false
  return typeof thrown !== 'string' || /^(unhandledRejection|uncaughtException):/.test(thrown)
}

function format(args: unknown[]): string {
  return stripVTControlCharacters(formatText(...args))
    .replace(/^\s*⨯/, '')
    .trim()
}

type SystemError = Error & {
  code?: string
  path?: string
  port?: number
  address?: string
  hostname?: string
}

/** One line for the operator. Undefined for an unexpected error. */
export function explainStartupError(error: unknown): string | undefined {
  if (isStartupError(error)) return error.message
  if (!(error instanceof Error)) return undefined
  const { code, path, port, address, hostname } = error as SystemError
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is already in use. Stop the other process, or set PORT.`
    case 'EADDRNOTAVAIL':
      return `HOST ${address} is not an IP address of this machine.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return port === undefined
        ? `Cannot write to ${path ?? 'DATA_DIR'}: permission denied or read-only.`
        : `No permission to listen on port ${port}. Set PORT to a value above 1023.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `DATA_DIR must be a folder, but ${path} is not.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${hostname} cannot be resolved.`
    case 'ENOSPC':
      return 'The disk is full.'
    default:
      return undefined
  }
}
