import { LRUCache } from 'lru-cache'
import { readStaticFile } from '@/core/db/static-files'
import { log } from '@/core/log/log'
import type { KeptFiles } from '@/server/static-files/kept-files'
import { sha256 } from '@/server/static-files/own-build'

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
