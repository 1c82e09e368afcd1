import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { writePrerendered } from '../../packages/plinth/scripts/build/manifests.mjs'
import { inRoot } from '../../packages/plinth/scripts/paths.mjs'
import { onShutdown } from '../../packages/plinth/scripts/processes.mjs'

/**
 * A copy of the build whose scripts, styles and build id have other names: what an instance of
 * another build looks like to a browser, without the time of a second build.
 */
export async function renamedBuild() {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-cluster-build-'))
  onShutdown(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['public', 'package.json', 'next.config.ts']) {
    await cp(inRoot(name), join(folder, name), { recursive: true })
  }
  for (const name of ['src', 'node_modules']) {
    await symlink(inRoot(name), join(folder, name))
  }
  const next = join(folder, '.next')
  await cp(inRoot('.next'), next, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !['cache', 'trace', 'types'].includes(basename(path)),
  })
  await renameIn(next)
  await writePrerendered(next, join(next, 'plinth', 'prerendered.json'))
  return folder
}

async function renameIn(next) {
  const names = await readdir(join(next, 'static'), { recursive: true })
  const chunks = names.flatMap(
    (name) => /chunks.(?:turbopack-)?([\w-]{13})\.(js|css)$/.exec(name)?.[1] ?? [],
  )
  const buildId = (await readFile(join(next, 'BUILD_ID'), 'utf8')).trim()
  const pattern = new RegExp([buildId, ...new Set(chunks)].map(escapeForPattern).join('|'), 'g')
  const edit = (text) => text.replaceAll(pattern, otherName)
  for (const entry of await readdir(next, { recursive: true, withFileTypes: true })) {
    const parent = entry.parentPath ?? entry.path
    if (entry.isFile() && !/\.(woff2|ico|png|map)$/.test(entry.name)) {
      const file = join(parent, entry.name)
      const text = await readFile(file, 'utf8')
      const edited = edit(text)
      if (edited !== text) await writeFile(file, edited)
    }
  }
  // The deepest first, so that their folders still have their names.
  for (const name of names.sort((one, other) => other.length - one.length)) {
    const renamed = join(next, 'static', dirname(name), edit(basename(name)))
    if (edit(basename(name)) !== basename(name)) await rename(join(next, 'static', name), renamed)
  }
}

/** The other name has the same length, because Flight data says how long its texts are. */
function otherName(name) {
  return [...name].reverse().join('')
}

function escapeForPattern(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
