import { readdir, readFile, stat } from 'node:fs/promises'
import { Stop } from '../failure.mjs'
import { inRoot } from '../paths.mjs'

/** The ids of the modules present: route groups with a manifest. Core's own `(auth)` has none. */
export async function findModules() {
  const entries = await readdir(inRoot('src', 'app'))
  const groups = entries
    .filter((name) => /^\([^.)][^)]*\)$/.test(name))
    .map((name) => name.slice(1, -1))
  const found = await Promise.all(groups.map(async (id) => ((await hasManifest(id)) ? [id] : [])))
  const ids = found.flat()
  const odd = ids.find((id) => !/^[a-z][a-z0-9-]*$/.test(id))
  if (odd) {
    throw new Stop(`The module folder (${odd}) needs a name of small letters, digits and hyphens.`)
  }
  await Promise.all(ids.map((id) => refuseMissing(id, ids)))
  return ids
}

async function hasManifest(id) {
  const manifest = await stat(inModule(id, 'module.ts')).catch(() => undefined)
  return manifest?.isFile() ?? false
}

async function refuseMissing(id, present) {
  const { plinth } = await packageOf(id)
  const missing = (plinth?.requires ?? []).filter((other) => !present.includes(other))
  if (missing.length > 0) throw new Stop(`The module ${id} needs ${missing.join(', ')} beside it.`)
}

async function packageOf(id) {
  const file = inModule(id, 'package.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Stop(`${file} cannot be read: ${error.message}`)
  }
}

function inModule(id, name) {
  return inRoot('src', 'app', `(${id})`, name)
}
