import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The TypeScript and SQL files of `root`/src by path, in the order of their paths.
 *
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function readSources(root) {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.(tsx?|sql)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  return new Map(
    files
      .map((file) => [
        file.slice(join(root, '/').length).replaceAll('\\', '/'),
        readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
      ])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )
}
