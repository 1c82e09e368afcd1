import { existsSync } from 'node:fs'
import { Stop } from '../failure.mjs'
import { inRoot } from '../paths.mjs'

/** A command that changed the modules was cut short, and nobody has put the tree back yet. */
export function refuseInterrupted() {
  if (!existsSync(inRoot('.plinth', 'journal'))) return
  throw new Stop('A plinth command was interrupted here: `npx plinth recover` puts the files back.')
}
