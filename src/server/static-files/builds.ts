import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Build, type BuildFiles, readBuilds } from '@/core/db/static-files'
import { log } from '@/core/log/log'

const maxWaiting = 1000

/** A hash is also the name of a file on disk. */
const sha256Hex = /^[0-9a-f]{64}$/

/**
 * The names of the files of other builds, in memory. A name that is not among them may be of a build
 * that was stored since, so they are read again: at most once a second, for all callers together.
 */
export function otherBuilds({ read = readBuilds, intervalMs = 1000 } = {}) {
  let builds: ReadonlyMap<string, BuildFiles> = new Map()
  let lastReadAt = Number.NEGATIVE_INFINITY
  let lastRead: Promise<void> | undefined
  let nextRead: Promise<void> | undefined
  let waiting = 0

  /** The hash of a file, or undefined. */
  async function find(name: string): Promise<string | undefined> {
    const known = findIn(builds, name)
    if (known !== undefined || waiting >= maxWaiting) return known
    waiting += 1
    try {
      // Not one that runs already: it may have missed the build.
      nextRead ??= readLater()
      await nextRead
    } finally {
      waiting -= 1
    }
    return findIn(builds, name)
  }

  async function readLater(): Promise<void> {
    const waitMs = lastReadAt + intervalMs - performance.now()
    if (waitMs > 0) await pause(waitMs)
    await lastRead?.catch(() => {})
    lastRead = readNow()
    nextRead = undefined
    await lastRead
  }

  async function readNow(): Promise<void> {
    lastReadAt = performance.now()
    builds = await read(builds)
  }

  return { find }
}

function findIn(builds: ReadonlyMap<string, BuildFiles>, name: string): string | undefined {
  for (const files of builds.values()) {
    const hash = Object.hasOwn(files, name) ? files[name] : undefined
    if (hash !== undefined && sha256Hex.test(hash)) return hash
  }
  return undefined
}

const maxBuildBytes = 20 * 1024 * 1024
const maxFiles = 3000

type OwnBuild = {
  names: ReadonlySet<string>
  /** Undefined if it is too large to be stored. */
  stored: Build | undefined
}

/** The static files of this build. */
export async function readOwnBuild(folder: string): Promise<OwnBuild> {
  const paths = await readdir(folder, { recursive: true })
  const sizes = new Map<string, number>()
  for (const path of paths.sort()) {
    const stats = await stat(join(folder, path))
    if (stats.isFile()) sizes.set(path.replaceAll(sep, '/'), stats.size)
  }
  const allowed = [...sizes].filter(([name]) => fileTypeOf(name))
  const stored = isSmall(allowed) ? await hashFiles(folder, allowed) : undefined
  return { names: new Set(sizes.keys()), stored }
}

type Sizes = [name: string, size: number][]

function isSmall(files: Sizes): boolean {
  const bytes = files.reduce((sum, [, size]) => sum + size, 0)
  if (bytes <= maxBuildBytes && files.length <= maxFiles) return true
  log().warn(
    { files: files.length, megabytes: Math.ceil(bytes / 1024 / 1024) },
    'static files not stored: more than 20 MB or 3,000 files; other instances cannot serve them',
  )
  return false
}

async function hashFiles(folder: string, files: Sizes): Promise<Build> {
  const read = (name: string) => readFile(join(folder, name))
  const hashes: Record<string, string> = {}
  for (const [name] of files) hashes[name] = sha256(await read(name))
  return { id: sha256(JSON.stringify(hashes)), files: hashes, read }
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

type FileType = { contentType: string; compressed: boolean }

const text = (contentType: string): FileType => ({ contentType, compressed: true })
const binary = (contentType: string): FileType => ({ contentType, compressed: false })

/** What is stored and served for other builds, with the types of Next. Source maps are not. */
const fileTypes = new Map<string, FileType>([
  ['js', text('application/javascript; charset=UTF-8')],
  ['css', text('text/css; charset=UTF-8')],
  ['json', text('application/json; charset=UTF-8')],
  ['txt', text('text/plain; charset=UTF-8')],
  ['svg', text('image/svg+xml')],
  ['woff2', binary('font/woff2')],
  ['woff', binary('font/woff')],
  ['png', binary('image/png')],
  ['jpg', binary('image/jpeg')],
  ['jpeg', binary('image/jpeg')],
  ['gif', binary('image/gif')],
  ['webp', binary('image/webp')],
  ['avif', binary('image/avif')],
  ['ico', binary('image/x-icon')],
])

const plainName = /^[\w.~@()[\]-]+(\/[\w.~@()[\]-]+)*$/
const dotSegment = /(^|\/)\.{1,2}(\/|$)/

/** Undefined for a name that Next would not give to such a file. */
export function fileTypeOf(name: string): FileType | undefined {
  if (name.length > 200 || !plainName.test(name) || dotSegment.test(name)) return undefined
  return fileTypes.get(name.slice(name.lastIndexOf('.') + 1))
}
