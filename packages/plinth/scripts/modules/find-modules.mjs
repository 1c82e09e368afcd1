import { readdir, readFile, stat } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'
import { CommandError } from '../terminal.mjs'

/** The ids of the installed modules: route groups with a manifest. Core's `(auth)` has none. */
export async function findModules() {
  const entries = await readdir(inRoot('src', 'app'))
  const groups = entries
    .filter((name) => /^\([^.)][^)]*\)$/.test(name))
    .map((name) => name.slice(1, -1))
  const found = await Promise.all(groups.map(async (id) => ((await hasManifest(id)) ? [id] : [])))
  const ids = found.flat()
  const invalid = ids.find((id) => !/^[a-z][a-z0-9-]*$/.test(id))
  if (invalid) {
    throw new CommandError(
      `Invalid module folder: (${invalid}). Use lowercase letters, digits and hyphens.`,
    )
  }
  await Promise.all(ids.map((id) => requireDependencies(id, ids)))
  return ids
}

async function hasManifest(id) {
  const manifest = await stat(inModule(id, 'module.ts')).catch(() => undefined)
  return manifest?.isFile() ?? false
}

async function requireDependencies(id, installed) {
  const { plinth } = await readPackage(id)
  const missing = (plinth?.requires ?? []).filter((other) => !installed.includes(other))
  if (missing.length === 0) return
  throw new CommandError(
    `Module ${id} requires ${missing.join(', ')}. Install: npx plinth add ${missing.join(' ')}`,
  )
}

async function readPackage(id) {
  const file = inModule(id, 'package.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${error.message}`)
  }
}

function inModule(id, name) {
  return inRoot('src', 'app', `(${id})`, name)
}
