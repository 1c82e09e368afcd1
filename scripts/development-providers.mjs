import { findProviders, providerSettings } from './modules/find-modules.mjs'

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
