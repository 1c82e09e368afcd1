import { format as formatText, stripVTControlCharacters } from 'node:util'
import { log } from '@/core/log/log'

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
      // onRequestError logs page errors with their request.
      if (!String(args[0]).includes('⨯')) log().error(format(args))
    },
  })
}

function format(args: unknown[]): string {
  return stripVTControlCharacters(formatText(...args)).trim()
}
