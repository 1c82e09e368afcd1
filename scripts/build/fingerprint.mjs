import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../paths.mjs'

const sources = [
  'src',
  'public',
  'scripts/build',
  'scripts/build.mjs',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
]

/**
 * What the build is made from, told apart twice: `quick` by path, size and time of change, which
 * takes milliseconds; `contents` by every byte, for when only the times differ (a fresh checkout).
 */
export async function takeFingerprint() {
  const files = (await Promise.all(sources.map(filesUnder))).flat().sort()
  const facts = await Promise.all(files.map(factsOf))
  return { quick: digest(facts), contents: () => hashContents(files) }
}

async function filesUnder(path) {
  const kind = await stat(join(root, path)).catch(() => undefined)
  if (!kind) return []
  if (kind.isFile()) return [path]
  const names = await readdir(join(root, path))
  return (await Promise.all(names.map((name) => filesUnder(`${path}/${name}`)))).flat()
}

async function factsOf(file) {
  const { size, mtimeMs } = await stat(join(root, file))
  return `${file} ${size} ${mtimeMs}`
}

async function hashContents(files) {
  const hashes = await Promise.all(
    files.map(async (file) => `${file} ${digest([await readFile(join(root, file))])}`),
  )
  return digest(hashes)
}

function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex')
}
