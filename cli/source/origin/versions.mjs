import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { succeed } from '../programs.mjs'
import { Stop } from '../stop.mjs'
import { cliRoot, isPacked } from '../template/location.mjs'
import { modulesIn } from '../template/modules.mjs'
import { readTemplate } from '../template/read-template.mjs'
import { render } from '../template/render.mjs'
import { readTree } from '../tree.mjs'
import { materialise } from './materialise.mjs'
import { ownVersion } from './own-version.mjs'

/**
 * What the version at an origin writes for these choices. Each version renders itself, by its own
 * program: how it was done then is not something that a later one has to remember.
 *
 * @param {string} [version] the version that is there, if it is known
 * @returns {Promise<{ tree: Map<string, Buffer>, version: string, cli: string }>}
 */
export async function renderAt(origin, choices, folder, version) {
  // A version never changes once it is made, so the one that is running will do.
  if (isPacked && version === ownVersion)
    return { tree: await render(choices), version: ownVersion, cli: cliRoot }
  const cli = await materialise(origin, join(folder, 'source'))
  const record = join(folder, 'record.json')
  const into = join(folder, 'rendered')
  await writeFile(record, JSON.stringify(choices))
  const args = [join(cli, 'bin/plinth.mjs'), 'render', '--record', record, '--into', into]
  await succeed(process.execPath, args).catch((error) => {
    throw new Stop('That version of the template could not be written.', error.details)
  })
  const manifest = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'))
  return { tree: await readTree(into), version: manifest.version, cli }
}

/** The modules that the version at this cli can add. */
export async function allModulesAt(cli) {
  if (cli === cliRoot) return modulesIn(await readTemplate())
  const root = existsSync(join(cli, 'template')) ? join(cli, 'template') : join(cli, '..')
  return modulesIn(
    await readTree(root, (path) => /^src\/app\/\([^)]+\)\/package\.json$/.test(path)),
  )
}
