import { textOf } from '../tree.mjs'

export const configFile = 'src/plinth.config.ts'

const list = /(\bproviders: )\[([^\]]*)\]/

/** The OAuth providers that the template lists. */
export function providersIn(tree) {
  const [, , listed = ''] = list.exec(textOf(tree, configFile) ?? '') ?? []
  return [...listed.matchAll(/'([a-z][a-z0-9-]*)'/g)].map(([, id]) => id)
}

export function withProviders(source, ids) {
  return source.replace(list, (_, start) => `${start}[${ids.map((id) => `'${id}'`).join(', ')}]`)
}

const engineFolder = 'packages/plinth/src/auth/oauth/providers'

/** One line for each provider: the name that the engine has for it. */
export function describeProvider(tree, id) {
  const named = new RegExp(`\\bid: '${id}',\\s+name: '(.+?)'`)
  const sources = ['providers', id].map((name) => textOf(tree, `${engineFolder}/${name}.ts`) ?? '')
  const [, name = id] = named.exec(sources.join('\n')) ?? []
  return `Sign-in with ${name}; requires a client ID and secret of ${name} in production.`
}

/** Tests that need at least one provider are in folders named `providers`. */
export function needsProvider(path) {
  return /\/tests\/(.+\/)?providers\//.test(`/${path}`)
}
