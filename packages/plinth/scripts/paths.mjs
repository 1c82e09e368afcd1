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

const scripts = fileURLToPath(new URL('.', import.meta.url))

/** Inside node_modules, so that deleting node_modules also deletes the stamps about it. */
export const cacheFolder = inRoot('node_modules', '.cache', 'plinth')

export const nextBin = inRoot('node_modules', 'next', 'dist', 'bin', 'next')

/** The program of the engine: `node node_modules/plinth start`. */
export const engineProgram = inRoot('node_modules', 'plinth', 'dist', 'main.js')
