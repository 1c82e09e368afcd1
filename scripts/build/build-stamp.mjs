import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot, root } from '../paths.mjs'

const file = inRoot('dist', 'build.json')

/**
 * The stamp is written last and removed first, so an interrupted build has none and is never served.
 * A build whose pages were deleted or rebuilt by another command is not current either.
 */
export async function isBuildCurrent(fingerprint) {
  const stamp = await read()
  if (!stamp || stamp.pages !== (await identifyPages()) || hasOtherId(stamp)) return false
  if (stamp.quick === fingerprint.quick) return true
  if (stamp.contents !== (await fingerprint.contents())) return false
  // Only the modification times differ. In a read-only folder this check runs again next time.
  await write({ ...stamp, quick: fingerprint.quick }).catch(() => {})
  return true
}

export async function clearBuildStamp() {
  await rm(file, { force: true })
}

export async function writeBuildStamp({ quick, contents }) {
  await write({ quick, contents, pages: await identifyPages() })
}

/** DEPLOYMENT_ID is needed by the build only, so that a server may be started without it. */
function hasOtherId({ pages }) {
  const { DEPLOYMENT_ID } = process.env
  return Boolean(DEPLOYMENT_ID) && DEPLOYMENT_ID !== pages
}

/** The id of the deployment, or of a build by another command. */
async function identifyPages() {
  return readFile(inRoot('.next', 'BUILD_ID'), 'utf8').catch(() => 'none')
}

async function read() {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function write(stamp) {
  await writeFile(file, `${JSON.stringify(stamp)}\n`)
}

const sources = [
  'src',
  'public',
  'scripts/build',
  'scripts/commands/build.mjs',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/**
 * Two fingerprints of the sources: `quick` from path, size and modification time, which takes
 * milliseconds; `contents` from every byte, for when only the times differ (a fresh checkout).
 */
export async function takeFingerprint() {
  const files = (await Promise.all(sources.map(filesUnder))).flat().sort()
  const metadata = await Promise.all(files.map(readMetadata))
  return { quick: digest(metadata), contents: () => hashContents(files) }
}

async function filesUnder(path) {
  const entry = await stat(join(root, path)).catch(() => undefined)
  if (!entry) return []
  if (entry.isFile()) return [path]
  const names = await readdir(join(root, path))
  return (await Promise.all(names.map((name) => filesUnder(`${path}/${name}`)))).flat()
}

async function readMetadata(file) {
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
