/**
 * Without keys of its own, a provider is the one that the development server itself serves, in
 * src/app/dev/oauth. Only the environment of that server ever names it: nothing that is built does.
 */
export function developmentProviders(settings, { host, port }) {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
  const base = `http://${name.includes(':') ? `[${name}]` : name}:${port}/dev/oauth`
  return {
    ...unlessSet(settings, 'GITHUB', { URL: `${base}/github` }),
    ...unlessSet(settings, 'GOOGLE', { ISSUER: `${base}/google` }),
  }
}

function unlessSet(settings, provider, place) {
  const keys = { ID: 'development', SECRET: 'development', ...place }
  const entries = Object.entries(keys).map(([key, value]) => [`AUTH_${provider}_${key}`, value])
  return entries.some(([key]) => settings[key]) ? {} : Object.fromEntries(entries)
}
