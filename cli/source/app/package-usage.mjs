import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const sources = /\.(tsx?|[cm]?jsx?|css)$/

/** Returns a function that tells whether the app imports a package outside the excluded folders. */
export async function findPackageUsage(app, excluded) {
  const texts = []
  for (const name of ['src', 'packages', 'tests', 'scripts']) {
    const entries = await readdir(join(app, name), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    for (const entry of entries) {
      const path = join(entry.parentPath ?? entry.path, entry.name)
      const isOutside = !excluded.some((folder) => path.startsWith(join(app, folder, '/')))
      if (entry.isFile() && sources.test(entry.name) && isOutside) {
        texts.push(await readFile(path, 'utf8'))
      }
    }
  }
  const all = texts.join('\n')
  return (name) =>
    ["'", '"', '/'].some((end) => all.includes(`'${name}${end}`) || all.includes(`"${name}${end}`))
}
