import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The paths that pages of a build load, with the SHA-256 of each file. */
export async function readStaticFiles(next) {
  const folder = join(next, 'static')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.(js|css|woff2)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  return Promise.all(
    files.map(async (file) => ({
      path: `/_next/static${file.slice(folder.length)}`,
      hash: sha256(await readFile(file)),
    })),
  )
}

export function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}
