import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appFolder } from '#config/app-folder'

/** A file that `npm run build` writes for the server, beside those of Next. */
export function buildFile(name: string): string {
  return join(appFolder(), '.next', 'plinth', name)
}

export function readBuildFile<Content>(name: string): Content {
  return JSON.parse(readFileSync(buildFile(name), 'utf8'))
}
