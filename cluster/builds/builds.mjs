import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../packages/plinth/scripts/paths.mjs'
import { changedBuild } from './changed-build.mjs'
import { renamedBuild } from './renamed-build.mjs'
import { readStaticFiles } from './static-files.mjs'

/** The build of this folder, and one that differs in its pages, scripts and build id. */
export async function prepareBuilds({ short }) {
  const { build } = await import('../../packages/plinth/scripts/build/build.mjs')
  await build()
  return {
    first: await describeBuild('first', root),
    second: await describeBuild('second', await (short ? renamedBuild() : changedBuild())),
  }
}

async function describeBuild(name, folder) {
  const next = join(folder, '.next')
  return {
    name,
    folder,
    staticFiles: await readStaticFiles(next),
    actions: await readActions(next),
  }
}

/** The ids of the server actions by name. */
async function readActions(next) {
  const file = join(next, 'server', 'server-reference-manifest.json')
  const { node } = JSON.parse(await readFile(file, 'utf8'))
  return new Map(Object.entries(node).map(([id, { exportedName }]) => [exportedName, id]))
}
