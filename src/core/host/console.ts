import { format, stripVTControlCharacters } from 'node:util'
import { log } from '@/core/log'

/** What Next and others print becomes lines of the log, so that each of them can be parsed. */
export function logConsole(): void {
  if (process.stdout.isTTY) return
  const info = (...words: unknown[]) => log().info(clean(words))
  Object.assign(console, {
    log: info,
    info,
    debug: (...words: unknown[]) => log().debug(clean(words)),
    warn: (...words: unknown[]) => log().warn(clean(words)),
    error(...words: unknown[]) {
      // Next announces the fault of a page here; with its request it is logged by onRequestError.
      if (!String(words[0]).includes('⨯')) log().error(clean(words))
    },
  })
}

function clean(words: unknown[]): string {
  return stripVTControlCharacters(format(...words)).trim()
}
