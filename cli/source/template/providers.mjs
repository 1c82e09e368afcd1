const provider = /^src\/core\/auth\/oauth\/providers\/([a-z][a-z0-9-]*)\.ts$/
const notProviders = ['provider', 'installed']

/** The OAuth providers, one file each. */
export function providersIn(tree) {
  return [...tree.keys()]
    .map((path) => providerOfPath(path))
    .filter((id) => id !== undefined)
    .sort()
}

export function providerOfPath(path) {
  const id = provider.exec(path)?.[1]
  return notProviders.includes(id) ? undefined : id
}

/** Tests that need at least one provider are in folders named `providers`. */
export function needsProvider(path) {
  return /\/tests\/(.+\/)?providers\//.test(`/${path}`)
}
