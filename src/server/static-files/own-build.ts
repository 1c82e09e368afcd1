import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Build } from '@/core/db/static-files'
import { log } from '@/core/log/log'
import { fileTypeOf } from '@/server/static-files/file-types'

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
