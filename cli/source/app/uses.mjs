import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const sources = /\.(tsx?|[cm]?jsx?|css)$/

/** Whether anything in the app names this package, outside of the folders given. */
export async function createUses(app, except) {
  const texts = []
  for (const room of ['src', 'tests', 'scripts']) {
    const entries = await readdir(join(app, room), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    for (const entry of entries) {
      const path = join(entry.parentPath ?? entry.path, entry.name)
      const isOutside = !except.some((folder) => path.startsWith(join(app, folder, '/')))
      if (entry.isFile() && sources.test(entry.name) && isOutside) {
        texts.push(await readFile(path, 'utf8'))
      }
    }
  }
  const all = texts.join('\n')
  return (name) =>
    ["'", '"', '/'].some((end) => all.includes(`'${name}${end}`) || all.includes(`"${name}${end}`))
}
