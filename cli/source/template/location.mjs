import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

const repository = cli.replace(/[\\/]cli$/, '')

/** Whether this is the published package, which contains the template, or the repository. */
export const isPacked = !existsSync(`${repository}/packages/plinth/src/modules/module.ts`)
export const templateRoot = isPacked ? `${cli}/template` : repository
export const overlayRoot = `${cli}/overlay`
export const cliRoot = cli
