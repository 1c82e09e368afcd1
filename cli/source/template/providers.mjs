const provider = /^src\/core\/auth\/providers\/([a-z][a-z0-9-]*)\.ts$/
const notProviders = ['provider', 'installed']

/** The ways to sign in with somebody else's account: one file each. */
export function providersIn(tree) {
  return [...tree.keys()]
    .map((path) => providerOf(path))
    .filter((id) => id !== undefined)
    .sort()
}

export function providerOf(path) {
  const id = provider.exec(path)?.[1]
  return notProviders.includes(id) ? undefined : id
}

/** Tests that need a provider, whichever, are in folders of that name. */
export function needsProvider(path) {
  return /\/tests\/(.+\/)?providers\//.test(`/${path}`)
}
