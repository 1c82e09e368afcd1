import { existsSync } from 'node:fs'
import { Stop } from '../failure.mjs'
import { inRoot } from '../paths.mjs'
import { findProviders, providerFolder } from './find-providers.mjs'
import { providersSource } from './providers-source.mjs'

export const providerList = {
  path: `${providerFolder}/installed.ts`,
  of: 'the files beside it',
  write: async () => {
    if (!existsSync(inRoot(providerFolder))) return undefined
    const ids = findProviders()
    const odd = ids.find((id) => !/^[a-z][a-z0-9-]*$/.test(id))
    if (odd) {
      throw new Stop(`The provider ${odd}.ts needs a name of small letters, digits and hyphens.`)
    }
    return providersSource(ids)
  },
}
