import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'
import { cliRoot, isPacked, templateRoot } from '../template/location.mjs'
import { modulesIn } from '../template/modules.mjs'
import { readTemplate } from '../template/read-template.mjs'
import { render } from '../template/render.mjs'
import { readTree } from '../tree.mjs'
import { fetchVersion } from './fetch-version.mjs'
import { ownVersion } from './own-version.mjs'

/**
 * Renders the version at an origin for these choices. Each version is rendered by its own CLI, so
 * that later versions need not know how earlier ones worked.
 *
 * @param {string} [version] the version at the origin, if it is known
 * @returns {Promise<{ tree: Map<string, Buffer>, version: string, cli: string }>}
 */
export async function renderVersion(origin, choices, folder, version) {
  const opened = await openVersion(origin, folder, version)
  return { tree: await renderWith(opened, choices, folder), ...opened }
}

/**
 * The folder of the CLI at an origin, which may be a function that finds it, and its version. `packages` is a
 * folder with the packages that its engine may be compiled with.
 */
export async function openVersion(origin, folder, version) {
  // Released versions never change, so the running CLI can render its own version.
  if (isPacked && version === ownVersion) return { cli: cliRoot, version }
  const found = typeof origin === 'function' ? await origin() : origin
  const cli = await fetchVersion(found, join(folder, 'source'))
  const manifest = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'))
  const packages = found.repository && join(found.repository, 'node_modules')
  return { cli, version: manifest.version, packages }
}

/** @returns {Promise<Map<string, Buffer>>} */
export async function renderWith({ cli, packages }, choices, folder) {
  if (cli === cliRoot) return render(choices)
  const record = join(folder, 'record.json')
  const into = join(folder, 'rendered')
  await writeFile(record, JSON.stringify(choices))
  const args = [join(cli, 'bin/plinth.mjs'), 'render', '--record', record, '--into', into]
  const candidates = [packages, join(templateRoot, 'node_modules'), process.env.PLINTH_PACKAGES]
  const env = { PLINTH_PACKAGES: candidates.filter(Boolean).join(delimiter) }
  await runOrFail(process.execPath, args, { env }).catch((error) => {
    throw new CommandError('Cannot render that version of the template.', error.details)
  })
  return readTree(into)
}

/** The source of src/modules.ts, as that version writes it. */
export async function modulesFileOfVersion(cli, ids) {
  const { modulesFile } = await import(
    pathToFileURL(join(cli, 'source', 'template', 'generated.mjs'))
  )
  return modulesFile(ids)
}

/** The modules available in the version of this CLI folder. */
export async function modulesOfVersion(cli) {
  if (cli === cliRoot) return modulesIn(await readTemplate())
  const root = existsSync(join(cli, 'template')) ? join(cli, 'template') : join(cli, '..')
  return modulesIn(
    await readTree(root, (path) => /^src\/app\/\([^)]+\)\/package\.json$/.test(path)),
  )
}
