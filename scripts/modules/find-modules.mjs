import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'
import { CommandError } from '../terminal.mjs'

/** The ids of the installed modules: route groups with a manifest. Core's `(auth)` has none. */
export async function findModules() {
  const entries = await readdir(inRoot('src', 'app'))
  const groups = entries
    .filter((name) => /^\([^.)][^)]*\)$/.test(name))
    .map((name) => name.slice(1, -1))
  const found = await Promise.all(groups.map(async (id) => ((await hasManifest(id)) ? [id] : [])))
  const ids = found.flat()
  const invalid = ids.find((id) => !/^[a-z][a-z0-9-]*$/.test(id))
  if (invalid) {
    throw new CommandError(
      `Invalid module folder: (${invalid}). Use lowercase letters, digits and hyphens.`,
    )
  }
  await Promise.all(ids.map((id) => requireDependencies(id, ids)))
  return ids
}

async function hasManifest(id) {
  const manifest = await stat(inModule(id, 'module.ts')).catch(() => undefined)
  return manifest?.isFile() ?? false
}

async function requireDependencies(id, installed) {
  const { plinth } = await readPackage(id)
  const missing = (plinth?.requires ?? []).filter((other) => !installed.includes(other))
  if (missing.length === 0) return
  throw new CommandError(
    `Module ${id} requires ${missing.join(', ')}. Install: npx plinth add ${missing.join(' ')}`,
  )
}

async function readPackage(id) {
  const file = inModule(id, 'package.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${error.message}`)
  }
}

function inModule(id, name) {
  return inRoot('src', 'app', `(${id})`, name)
}

export const providerFolder = 'src/providers'

const generatedList = 'installed.ts'

/**
 * The ids of the installed providers, which are their file names.
 *
 * @returns {string[]}
 */
export function findProviders() {
  const folder = inRoot(providerFolder)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.endsWith('.ts') && name !== generatedList)
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
  return [...new Set(sourceOf(id).match(/\bAUTH_[A-Z0-9_]+/g))]
}

/** The name that users see. */
export function providerName(id) {
  return /\bname: (['"])(.+?)\1/.exec(sourceOf(id))?.[2] ?? id
}

function sourceOf(id) {
  return readFileSync(inRoot(providerFolder, `${id}.ts`), 'utf8')
}

/**
 * Settings that point each unconfigured OAuth provider to the one in src/app/dev/oauth. They are
 * passed to the development server only; a build never contains them.
 *
 * @param {Record<string, string | undefined>} settings
 * @param {{ host: string, port: number | string }} server
 * @returns {Record<string, string>}
 */
export function developmentProviders(settings, { host, port }) {
  const name = /^(0\.0\.0\.0|127\.0\.0\.1|::1?)$/.test(host) ? 'localhost' : host
  const base = `http://${name.includes(':') ? `[${name}]` : name}:${port}/dev/oauth`
  const all = findProviders().map((id) => settingsUnlessConfigured(settings, id, `${base}/${id}`))
  return Object.assign({}, ...all)
}

function settingsUnlessConfigured(settings, id, url) {
  const names = providerSettings(id)
  if (names.some((name) => settings[name])) return {}
  return Object.fromEntries(names.map((name) => [name, isCredential(name) ? 'development' : url]))
}

function isCredential(name) {
  return /_(ID|SECRET)$/.test(name)
}
