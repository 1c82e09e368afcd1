import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { CommandError } from '../errors.mjs'
import { inRoot } from '../paths.mjs'
import { print } from '../terminal.mjs'
import { findModules, findProviders, providerFolder } from './find-modules.mjs'
import { modulesSource, providersSource } from './list-sources.mjs'
import { providerSettingsList } from './provider-settings.mjs'

const moduleList = {
  path: 'src/modules.ts',
  listedFrom: 'the module folders',
  generate: async () => modulesSource(await findModules()),
}

const providerList = {
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

const generatedFiles = [moduleList, providerList, providerSettingsList]

export async function updateModules() {
  for (const { path, listedFrom, expected } of await findOutdatedFiles()) {
    await writeFile(inRoot(path), expected)
    print(`Updated ${path}: ${listedFrom} changed.`)
  }
}

export async function findOutdatedFiles() {
  const files = await Promise.all(generatedFiles.map(compare))
  return files.filter(({ actual, expected }) => expected !== undefined && expected !== actual)
}

async function compare({ path, listedFrom, generate }) {
  const actual = await readFile(inRoot(path), 'utf8').catch(() => '')
  return { path, listedFrom, actual, expected: await generate() }
}
