import fs from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar/fs'
import { StartupError } from '#config/env'
import { makeFolder } from '#config/folders'
import { type CopyEnd, copyFromProcess } from '#db/embedded/backup-socket'
import { syncFolder, syncPath } from '#db/embedded/durable-files'
import { takeLock } from '#db/embedded/lock'
import { noteBackup } from '#db/embedded/storage'

/** The first entry of the archive. The files of the database follow, in the folder `database`. */
const manifestName = 'backup.json'

const format = 'plinth-embedded-database-1'

type Manifest = { format: string; createdAt: string }

/** Writes a copy of the embedded database in `folder` to `file`, completely or not at all. */
export async function createBackup(folder: string, file: string): Promise<{ bytes: number }> {
  if (!fs.existsSync(join(folder, 'database'))) {
    throw new StartupError(`There is no embedded database in ${folder}.`)
  }
  if (fs.existsSync(file)) throw new StartupError(`${file} exists already. Name another file.`)
  makeFolder(dirname(file))
  const partial = createPartial(file)
  const removePartial = () => fs.rmSync(partial, { recursive: true, force: true })
  process.once('exit', removePartial)
  try {
    await copyDatabase(folder, join(partial, 'database'))
    const archive = join(partial, 'archive')
    await pack(join(partial, 'database'), archive)
    syncPath(archive)
    fs.renameSync(archive, file)
    syncPath(dirname(file))
    noteBackup(folder, file)
    return { bytes: fs.statSync(file).size }
  } finally {
    process.off('exit', removePartial)
    removePartial()
  }
}

/** One that is there may be of a backup that still runs, so it is not removed. */
function createPartial(file: string): string {
  const partial = `${file}.partial`
  try {
    fs.mkdirSync(partial, { mode: 0o700 })
    return partial
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    throw new StartupError(
      `${partial} exists already: another backup is writing it, or one was killed. If none is running, delete it, or name another file.`,
    )
  }
}

async function copyDatabase(folder: string, to: string): Promise<void> {
  const from = join(folder, 'database')
  const served = await copyFromProcess(folder, {
    copyFiles: (onProgress) =>
      copyFolder(from, to, { isSkipped: (path) => changesUntilTheEnd.test(path), onProgress }),
    copyLog: (end, onProgress) => copyLog(from, to, end, onProgress),
  })
  if (served) return
  const release = takeLock(join(folder, 'lock.json'))
  try {
    await copyFolder(from, to, { isSkipped: (path) => path === '/postmaster.pid' })
  } finally {
    release()
  }
}

/** The log, the file that names its last checkpoint, and the file of the running process. */
const changesUntilTheEnd = /^\/(pg_wal\/.+|global\/pg_control|postmaster\.pid)$/

async function copyLog(
  from: string,
  to: string,
  end: CopyEnd,
  onProgress: () => void,
): Promise<void> {
  const isNeeded = (name: string) => name >= end.firstSegment && name <= end.lastSegment
  for (const name of await readdir(join(from, 'pg_wal'))) {
    if (!isNeeded(name)) continue
    await copyFile(join(from, 'pg_wal', name), join(to, 'pg_wal', name), onProgress)
  }
  for (const name of ['archive_status', 'summaries']) {
    fs.mkdirSync(join(to, 'pg_wal', name), { mode: 0o700 })
  }
  await writeFile(join(to, 'global', 'pg_control'), Buffer.from(end.control, 'base64'))
  await writeFile(join(to, 'backup_label'), end.label)
}

type CopyOptions = {
  /** Gets paths below the folder, with a leading slash. */
  isSkipped: (path: string) => boolean
  onProgress?: () => void
}

async function copyFolder(
  from: string,
  to: string,
  options: CopyOptions,
  path = '',
): Promise<void> {
  fs.mkdirSync(to + path, { mode: 0o700 })
  for (const entry of await readdir(from + path, { withFileTypes: true })) {
    const inside = `${path}/${entry.name}`
    if (options.isSkipped(inside)) continue
    if (entry.isDirectory()) await copyFolder(from, to, options, inside)
    else if (entry.isFile()) await copyFile(from + inside, to + inside, options.onProgress)
  }
}

/** Not `fs.copyFile`: it expects that no one shortens the file meanwhile. */
async function copyFile(from: string, to: string, onProgress = () => {}): Promise<void> {
  try {
    const source = fs.createReadStream(from).on('data', onProgress)
    await pipeline(source, fs.createWriteStream(to, { mode: 0o600 }))
    // An empty file has no data, and a large one may take long to close.
    onProgress()
  } catch (error) {
    // A table that was dropped meanwhile has no file.
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

async function pack(folder: string, archive: string): Promise<void> {
  const manifest: Manifest = { format, createdAt: new Date().toISOString() }
  const content = `${JSON.stringify(manifest)}\n`
  const entries = packTar([
    { type: 'content', target: manifestName, content, mode: 0o600 },
    { type: 'directory', target: 'database', source: folder },
  ])
  await pipeline(entries, createGzip(), fs.createWriteStream(archive, { mode: 0o600 }))
}

type Restored = { createdAt: string; previous: string | undefined }

/**
 * Replaces the embedded database in `folder` with a copy that `createBackup` wrote, and keeps the
 * previous one beside it. Before that, `prepare` gets the folder of the unpacked copy: if it throws,
 * nothing has changed.
 */
export async function restoreBackup(
  folder: string,
  file: string,
  prepare: (folder: string) => Promise<void>,
): Promise<Restored> {
  makeFolder(folder)
  const release = takeLock(join(folder, 'lock.json'))
  const partial = join(folder, 'restore.partial')
  const removePartial = () => fs.rmSync(partial, { recursive: true, force: true })
  try {
    removePartial()
    fs.mkdirSync(partial, { mode: 0o700 })
    const { createdAt } = await unpackBackup(file, partial)
    await prepare(partial)
    syncFolder(join(partial, 'database'))
    return { createdAt, previous: replaceDatabase(folder, join(partial, 'database')) }
  } finally {
    removePartial()
    release()
  }
}

function replaceDatabase(folder: string, restored: string): string | undefined {
  const current = join(folder, 'database')
  const previous = fs.existsSync(current) ? `${current}.before-restore-${timestamp()}` : undefined
  if (previous) fs.renameSync(current, previous)
  fs.renameSync(restored, current)
  syncPath(folder)
  return previous
}

/** For names of files: `20261117T093000Z`. */
export function timestamp(): string {
  return new Date().toISOString().replace(/[-:]|\.\d+/g, '')
}

/** The database is then in `folder`/database. */
async function unpackBackup(file: string, folder: string): Promise<{ createdAt: string }> {
  let isBackup = false
  const acceptEntry = ({ name, type = 'file' }: { name: string; type?: string }) => {
    isBackup ||= name === manifestName
    const isKnown = name === manifestName || /^database(\/|$)/.test(name)
    if (!isBackup || !isKnown || !/^(file|directory)$/.test(type)) throw foreignFile(file)
    return true
  }
  try {
    const entries = unpackTar(folder, {
      strict: true,
      fmode: 0o600,
      dmode: 0o700,
      filter: acceptEntry,
    })
    await pipeline(fs.createReadStream(file), createGunzip(), entries)
  } catch (error) {
    throw explainUnpackError(error, file, isBackup)
  }
  const manifest = await readManifest(join(folder, manifestName))
  if (manifest?.format !== format) throw foreignFile(file)
  if (!fs.existsSync(join(folder, 'database', 'PG_VERSION'))) throw foreignFile(file)
  return manifest
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

function explainUnpackError(error: unknown, file: string, isBackup: boolean): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') return new StartupError(`There is no file ${file}.`)
  if (code === 'EISDIR') return foreignFile(file)
  if (typeof code === 'string' && code.startsWith('E')) return error
  if (!isBackup) return foreignFile(file)
  return new StartupError(`${file} is damaged: it cannot be read to its end. Nothing was changed.`)
}

function foreignFile(file: string): StartupError {
  return new StartupError(`${file} is no backup by npm run backup. Nothing was changed.`)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
