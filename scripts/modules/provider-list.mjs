import { existsSync } from 'node:fs'
import { CommandError } from '../errors.mjs'
import { inRoot } from '../paths.mjs'
import { findProviders, providerFolder } from './find-modules.mjs'
import { providersSource } from './providers-source.mjs'

export const providerList = {
  path: `${providerFolder}/installed.ts`,
  listedFrom: 'the provider files',
  generate: async () => {
    if (!existsSync(inRoot(providerFolder))) return undefined
    const ids = findProviders()
    const invalid = ids.find((id) => !/^[a-z][a-z0-9-]*$/.test(id))
    if (invalid) {
      throw new CommandError(
        `Invalid provider file: ${invalid}.ts. Use lowercase letters, digits and hyphens.`,
      )
    }
    return providersSource(ids)
  },
}
