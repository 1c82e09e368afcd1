import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { inRoot } from '../paths.mjs'

export const providerFolder = 'src/core/auth/oauth/providers'

/** The provider type and the generated list. */
const notProviders = ['provider.ts', 'installed.ts']

/**
 * The ids of the installed providers, which are their file names.
 *
 * @returns {string[]}
 */
export function findProviders() {
  const folder = inRoot(providerFolder)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.endsWith('.ts') && !notProviders.includes(name))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort()
}

/**
 * The settings of a provider: client ID, client secret and server URL. The file is read as text,
 * because Node 20 cannot load TypeScript.
 *
 * @param {string} id
 * @returns {string[]}
 */
export function providerSettings(id) {
  const source = readFileSync(inRoot(providerFolder, `${id}.ts`), 'utf8')
  return [...new Set(source.match(/\bAUTH_[A-Z0-9_]+/g))]
}
