import fs from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** PGlite turns fsync off. */
export const durableStartParams = PGlite.defaultStartParams.filter((param) => param !== '-F')

/** Emscripten ignores fdatasync(), the default of PostgreSQL. It passes fsync() to the files. */
export const durableSettings = ['wal_sync_method = fsync']

type Stream = { nfd: number }

/** The part of Emscripten's file system on Node that is used here. */
type EmscriptenModule = {
  NODEFS: {
    stream_ops: { fsync?: (stream: Stream) => number }
    /** Turns an error of Node into one that PostgreSQL understands. */
    tryFSOperation<Result>(operation: () => Result): Result
  }
}

/**
 * The files of PGlite on disk, with the one operation that Emscripten leaves out: `fsync`. PostgreSQL
 * itself then waits for the disk where it must: for the log before a commit is acknowledged, and for
 * the tables before a checkpoint ends.
 */
export class DurableFiles extends NodeFS {
  #failure: unknown

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args)
    const addSync = ({ NODEFS }: EmscriptenModule) => {
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        NODEFS.tryFSOperation(() => this.#sync(nfd))
        return 0
      }
    }
    const preRun = [...asList(emscriptenOpts.preRun), addSync]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } as typeof emscriptenOpts }
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /**
   * PostgreSQL ends when the disk has not stored what it should. It must not go on, and PGlite would
   * with its next statement: a second sync could succeed although the data is lost.
   */
  requireIntact(): void {
    if (!this.hasFailed) return
    throw Object.assign(
      new Error(
        'The disk has not stored a write, so the database has stopped. Restart the process.',
      ),
      { code: '57P02', cause: this.#failure },
    )
  }

  #sync(descriptor: number): void {
    try {
      fs.fsyncSync(descriptor)
    } catch (error) {
      // Files and folders of some systems cannot be synced, which PostgreSQL accepts for folders.
      if (!isUnsupported(error)) this.#failure = error
      throw error
    }
  }
}

function isUnsupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EINVAL'
}

function asList<Item>(items: Item | Item[] | undefined): Item[] {
  if (items === undefined) return []
  return Array.isArray(items) ? items : [items]
}

/** Returns once a folder is on the disk, with all that it contains. */
export function syncFolder(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncFolder(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

/** Syncs a file, or the names in a folder after a file was created, renamed or removed. */
export function syncPath(path: string): void {
  const descriptor = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}
