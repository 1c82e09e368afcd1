import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { inRoot } from '../paths.mjs'

export const providerFolder = 'src/core/auth/providers'

/** What every provider stands on, and the list of them. */
const common = ['provider.ts', 'installed.ts']

/**
 * The ids of the providers that are there: each is the name of its file.
 *
 * @returns {string[]}
 */
export function findProviders() {
  const folder = inRoot(providerFolder)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.endsWith('.ts') && !common.includes(name))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort()
}

/**
 * The settings that its file names: two keys, and one that leads to another server. The file is
 * read as text, since the scripts run on a Node that does not know TypeScript.
 *
 * @param {string} id
 * @returns {string[]}
 */
export function providerSettings(id) {
  const source = readFileSync(inRoot(providerFolder, `${id}.ts`), 'utf8')
  return [...new Set(source.match(/\bAUTH_[A-Z0-9_]+/g))]
}
