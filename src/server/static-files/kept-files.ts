import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { makePrivate } from '@/core/config/env'
import { readStaticFile } from '@/core/db/static-files'
import { log } from '@/core/log/log'
import { sha256 } from '@/server/static-files/builds'

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
    await mkdir(folder, { recursive: true, mode: 0o700 })
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
