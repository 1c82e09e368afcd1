import { findProviders, providerSettings } from './modules/find-providers.mjs'

/**
 * Without keys of its own, a provider is the one that the development server itself serves, in
 * src/app/dev/oauth. Only the environment of that server ever names it: nothing that is built does.
 *
 * @param {Record<string, string | undefined>} settings
 * @param {{ host: string, port: number | string }} place
 * @returns {Record<string, string>}
 */
export function developmentProviders(settings, { host, port }) {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
  const base = `http://${name.includes(':') ? `[${name}]` : name}:${port}/dev/oauth`
  const all = findProviders().map((id) => unlessSet(settings, id, `${base}/${id}`))
  return Object.assign({}, ...all)
}

function unlessSet(settings, id, url) {
  const names = providerSettings(id)
  if (names.some((name) => settings[name])) return {}
  return Object.fromEntries(names.map((name) => [name, isKey(name) ? 'development' : url]))
}

function isKey(name) {
  return /_(ID|SECRET)$/.test(name)
}
