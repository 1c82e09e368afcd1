import { textOf } from '../tree.mjs'

const provider = /^src\/providers\/([a-z][a-z0-9-]*)\.ts$/

/** The OAuth providers, one file each. */
export function providersIn(tree) {
  return [...tree.keys()]
    .map((path) => providerOfPath(path))
    .filter((id) => id !== undefined)
    .sort()
}

/** One line for each provider: the name that its file declares. */
export function describeProvider(tree, id) {
  const source = textOf(tree, `src/providers/${id}.ts`) ?? ''
  const name = /\bname: (['"])(.+?)\1/.exec(source)?.[2] ?? id
  return `Sign-in with ${name}; requires a client ID and secret of ${name} in production.`
}

export function providerOfPath(path) {
  const id = provider.exec(path)?.[1]
  return id === 'installed' ? undefined : id
}

/** Tests that need at least one provider are in folders named `providers`. */
export function needsProvider(path) {
  return /\/tests\/(.+\/)?providers\//.test(`/${path}`)
}
