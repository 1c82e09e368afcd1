import { resolve } from 'node:path'

/** Runs a command of the engine, which uses the build: `node node_modules/plinth migrate`. */
export function engineCommand(name: string, ...args: string[]): [string, string[]] {
  return [process.execPath, [resolve('node_modules/plinth'), name, ...args]]
}
