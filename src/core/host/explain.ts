import { isStartRefused } from '@/core/start-refused'

type SystemError = Error & {
  code?: string
  path?: string
  port?: number
  address?: string
  hostname?: string
}

/** Why the process does not start, in one line for whoever started it. Undefined: a fault of ours. */
export function explainStart(error: unknown): string | undefined {
  if (isStartRefused(error)) return error.message
  if (!(error instanceof Error)) return undefined
  const { code, path, port, address, hostname } = error as SystemError
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use. Stop what uses it, or set PORT to another.`
    case 'EADDRNOTAVAIL':
      return `HOST ${address} is not an address of this machine.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return port === undefined
        ? `Cannot write to ${path ?? 'DATA_DIR'}: permission denied or read-only.`
        : `Not permitted to listen on port ${port}. Set PORT to one above 1023.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `DATA_DIR must be a folder, but ${path} is something else.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${hostname} is not a name that this machine knows.`
    case 'ENOSPC':
      return 'No room is left on the disk.'
    default:
      return undefined
  }
}
