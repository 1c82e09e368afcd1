import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import {
  access,
  constants,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { makePrivate } from '#config/env'
import { makeFolder } from '#config/folders'
import { type Build, type BuildFiles, readBuilds, readStaticFile } from '#db/static-files'
import { log } from '#log/log'

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

/** The files that are stored and served for other builds, with the types of Next. Source maps are not. */
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

/** How long a file that was not found, or is not what it should be, is not looked for again. */
const absentMs = 1_000
const changedMs = 60_000

/** Loads files by hash, from disk or else from the database. Undefined for one that is not found. */
export function fileLoader(kept: KeptFiles, read = readStaticFile) {
  const loading = new Map<string, Promise<Buffer | undefined>>()
  const unavailable = new LRUCache<string, true>({ max: 1000 })

  function load(hash: string): Promise<Buffer | undefined> {
    const shared = loading.get(hash)
    if (shared) return shared
    const started = loadOnce(hash).finally(() => loading.delete(hash))
    loading.set(hash, started)
    return started
  }

  async function loadOnce(hash: string): Promise<Buffer | undefined> {
    if (unavailable.has(hash)) return undefined
    return (await kept.read(hash)) ?? (await readStored(hash))
  }

  async function readStored(hash: string): Promise<Buffer | undefined> {
    const content = await read(hash)
    if (content === undefined) {
      unavailable.set(hash, true, { ttl: absentMs })
      return undefined
    }
    if (sha256(content) !== hash) {
      unavailable.set(hash, true, { ttl: changedMs })
      log().error({ sha256: hash }, 'static file in the database has another SHA-256; not served')
      return undefined
    }
    await kept.keep(hash, content)
    return content
  }

  return load
}

type KeptFiles = ReturnType<typeof keptFiles>

const maxKeptBytes = 100 * 1024 * 1024

/** Files of other builds on disk, by hash. Processes on one machine share them. */
export function keptFiles(dataDir: string, maxBytes = maxKeptBytes) {
  let folder: Promise<string> | undefined
  let reported = false

  function openFolder(): Promise<string> {
    folder ??= privateFolder(join(dataDir, 'static'))
    return folder
  }

  /** Undefined if it is not there. A file that was changed is removed. */
  async function read(hash: string): Promise<Buffer | undefined> {
    try {
      const path = join(await openFolder(), hash)
      const content = await readFile(path)
      if (sha256(content) === hash) return content
      await rm(path, { force: true })
    } catch {
      // Not kept yet, or not readable: the database has it.
    }
    return undefined
  }

  async function keep(hash: string, content: Buffer): Promise<void> {
    try {
      const path = join(await openFolder(), hash)
      const part = `${path}.${randomBytes(6).toString('hex')}`
      await writeFile(part, content, { mode: 0o600, flag: 'wx' })
      await rename(part, path)
      await removeOldest(await openFolder(), maxBytes)
    } catch (error) {
      if (!reported) log().warn({ err: error }, 'static file not kept on disk')
      reported = true
    }
  }

  return { read, keep }
}

/** DATA_DIR may be read-only. */
async function privateFolder(folder: string): Promise<string> {
  try {
    makeFolder(folder)
    await access(folder, constants.W_OK)
    makePrivate(folder)
    return folder
  } catch {
    const temporary = await mkdtemp(join(tmpdir(), 'plinth-static-'))
    process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
    return temporary
  }
}

async function removeOldest(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder)
  const files = await Promise.all(names.map((name) => sizeAndAge(join(folder, name))))
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (bytes <= maxBytes) return
    await rm(path, { force: true })
    bytes -= size
  }
}

/** Another process may have removed it. */
async function sizeAndAge(path: string) {
  const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
  return { path, size, mtimeMs }
}
