import { existsSync } from 'node:fs'
import { CommandError } from '../errors.mjs'
import { inRoot } from '../paths.mjs'

/** An interrupted `plinth add`, `remove` or `upgrade` leaves a journal until it is rolled back. */
export function refuseInterruptedCommand() {
  if (!existsSync(inRoot('.plinth', 'journal'))) return
  throw new CommandError(
    'A plinth command was interrupted. Run `npx plinth recover` to restore the files.',
  )
}
