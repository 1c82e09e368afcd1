import { setTimeout as pause } from 'node:timers/promises'
import { type BuildFiles, readBuilds } from '@/core/db/static-files'

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
