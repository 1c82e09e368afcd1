import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../paths.mjs'
import { CommandError } from '../terminal.mjs'

/**
 * The OAuth providers that src/plinth.config.ts lists.
 *
 * @returns {Promise<{ id: string, name: string, settings: Record<string, string> }[]>}
 */
export async function findProviders() {
  const file = inRoot('src', 'plinth.config.ts')
  if (!existsSync(file)) return []
  const config = await readConfig(file)
  // From this folder, which has the engine; these scripts may be another folder's.
  const engine = createRequire(inRoot('package.json'))
  const { providersOf } = await import(
    pathToFileURL(engine.resolve('plinth/auth/oauth/providers/providers')).href
  )
  return providersOf(config)
}

/** It is data, so that its JavaScript runs alone. */
async function readConfig(file) {
  const { transform } = await import('esbuild')
  try {
    const { code } = await transform(await readFile(file, 'utf8'), { loader: 'ts' })
    const { config } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    return config ?? {}
  } catch (error) {
    throw new CommandError(`src/plinth.config.ts cannot be read: ${error.message}`)
  }
}

/** The names of its settings: client ID, client secret and URL of the server. */
export function settingsOf({ settings }) {
  return Object.values(settings)
}

/**
 * Settings that point each unconfigured OAuth provider to the one in src/app/dev/oauth. They are
 * passed to the development server only; a build never contains them.
 *
 * @param {Record<string, string | undefined>} settings
 * @param {{ host: string, port: number | string }} server
 * @returns {Promise<Record<string, string>>}
 */
export async function developmentProviders(settings, { host, port }) {
  const name = /^(0\.0\.0\.0|127\.0\.0\.1|::1?)$/.test(host) ? 'localhost' : host
  const base = `http://${name.includes(':') ? `[${name}]` : name}:${port}/dev/oauth`
  const all = (await findProviders()).map((provider) =>
    settingsUnlessConfigured(settings, provider, `${base}/${provider.id}`),
  )
  return Object.assign({}, ...all)
}

function settingsUnlessConfigured(settings, { settings: names }, url) {
  if (Object.values(names).some((name) => settings[name])) return {}
  const { clientId, clientSecret } = names
  return { [clientId]: 'development', [clientSecret]: 'development', [names.url]: url }
}
