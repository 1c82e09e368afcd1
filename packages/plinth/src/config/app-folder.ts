import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the app: the current one, or else the one whose node_modules has this package. */
export function appFolder(): string {
  const current = process.cwd()
  if (existsSync(join(current, 'node_modules', 'plinth'))) return current
  const self = fileURLToPath(import.meta.url)
  const [folder, ...inside] = self.split(`${sep}node_modules${sep}plinth${sep}`)
  return folder !== undefined && inside.length > 0 ? folder : current
}

/** A file that `npm run build` writes for the server, beside those of Next. */
export function buildFile(name: string): string {
  return join(appFolder(), '.next', 'plinth', name)
}

export function readBuildFile<Content>(name: string): Content {
  return JSON.parse(readFileSync(buildFile(name), 'utf8'))
}
