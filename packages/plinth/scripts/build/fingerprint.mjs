import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../paths.mjs'

/**
 * Two fingerprints of files and folders: `quick` from path, size and modification time, which takes
 * milliseconds; `contents` from every byte, for when only the times differ (a fresh checkout).
 */
export async function fingerprintOf(sources) {
  const files = (await Promise.all(sources.map(filesUnder))).flat().sort()
  const metadata = await Promise.all(files.map(readMetadata))
  return { quick: digest(metadata), contents: () => hashContents(files) }
}

async function filesUnder(path) {
  const entry = await stat(join(root, path)).catch(() => undefined)
  if (!entry) return []
  if (entry.isFile()) return [path]
  const names = (await readdir(join(root, path))).filter((name) => !notBuilt.test(name))
  return (await Promise.all(names.map((name) => filesUnder(`${path}/${name}`)))).flat()
}

/** An image has no tests and documents, and its build must get the same name as one from a clone. */
const notBuilt = /^tests$|\.md$/

async function readMetadata(file) {
  const { size, mtimeMs } = await stat(join(root, file))
  return `${file} ${size} ${mtimeMs}`
}

async function hashContents(files) {
  const hashes = await Promise.all(
    files.map(async (file) => `${file} ${digest([await readContent(file)])}`),
  )
  return digest(hashes)
}

async function readContent(file) {
  const content = await readFile(join(root, file))
  return file === 'package-lock.json' ? installedPackages(content) : content
}

/**
 * The packages of a lock file with their checksums. npm also writes URLs, depending on its settings, and the folders
 * of workspaces, which an image does not have.
 */
function installedPackages(lock) {
  try {
    const entries = Object.entries(JSON.parse(lock).packages)
    return JSON.stringify(
      entries.flatMap(([path, { integrity }]) => (integrity ? [[path, integrity]] : [])),
    )
  } catch {
    return lock
  }
}

function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex')
}
