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

/** Some npm versions and settings add URLs to the lock file. The packages are the same. */
function installedPackages(lock) {
  try {
    const { packages } = JSON.parse(lock)
    const installed = Object.entries(packages).map(([path, { version, integrity }]) => [
      path,
      version,
      integrity,
    ])
    return JSON.stringify(installed)
  } catch {
    return lock
  }
}

function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex')
}
