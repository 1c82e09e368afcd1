import { readdir, stat } from 'node:fs/promises'
import { Stop } from '../failure.mjs'
import { inRoot } from '../paths.mjs'
import { modulesSource } from './modules-source.mjs'

export const moduleList = {
  path: 'src/modules.ts',
  of: 'the module folders',
  write: async () => modulesSource(await findModules()),
}

/** A route group is a module when it has a manifest; core's own `(auth)` has none. */
async function findModules() {
  const entries = await readdir(inRoot('src', 'app'))
  const groups = entries
    .filter((name) => /^\([^.)][^)]*\)$/.test(name))
    .map((name) => name.slice(1, -1))
  const found = await Promise.all(groups.map(async (id) => ((await hasManifest(id)) ? [id] : [])))
  const odd = found.flat().find((id) => !/^[a-z][a-z0-9-]*$/.test(id))
  if (odd) {
    throw new Stop(`The module folder (${odd}) needs a name of small letters, digits and hyphens.`)
  }
  return found.flat()
}

async function hasManifest(id) {
  const manifest = await stat(inRoot('src', 'app', `(${id})`, 'module.ts')).catch(() => undefined)
  return manifest?.isFile() ?? false
}
