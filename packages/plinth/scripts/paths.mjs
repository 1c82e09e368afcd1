import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Above packages/plinth as well as above node_modules/plinth. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')

export function inRoot(...parts) {
  return join(root, ...parts)
}

/** The files of this folder, wherever it is. */
export function inScripts(...parts) {
  return join(scripts, ...parts)
}

/** Whether the sources of the engine are here: in the template, and in an app that has ejected them. */
export const isEjected = existsSync(inRoot('packages', 'plinth', 'src'))

/** The folder with the sources and migrations of the engine. */
export const engineFolder = isEjected ? 'packages/plinth' : 'node_modules/plinth'

const scripts = fileURLToPath(new URL('.', import.meta.url))

/** Inside node_modules, so that deleting node_modules also deletes the stamps about it. */
export const cacheFolder = inRoot('node_modules', '.cache', 'plinth')

export const nextBin = inRoot('node_modules', 'next', 'dist', 'bin', 'next')

/** The program of the engine: `node node_modules/plinth start`. */
export const engineProgram = inRoot('node_modules', 'plinth', 'dist', 'main.js')
