import { rm, statfs, writeFile } from 'node:fs/promises'
import { Stop } from '../failure.mjs'
import { inRoot, root } from '../paths.mjs'

/** Fails, as the folder does, with EROFS, EACCES or ENOSPC: see lineForCode. */
export async function requireWritableFolder() {
  const probe = inRoot(`.plinth-${process.pid}`)
  try {
    await writeFile(probe, 'Can this folder be written?')
    await rm(probe)
  } catch (error) {
    await rm(probe, { force: true }).catch(() => {})
    throw Object.assign(error, { path: root })
  }
}

export async function requireRoom(megabytes, purpose) {
  const { bavail, bsize } = await statfs(root)
  const free = Math.floor((bavail * bsize) / 1_000_000)
  if (free >= megabytes) return
  throw new Stop(
    `No room on disk: ${purpose} needs about ${megabytes} MB in ${root}, ${free} MB are free.`,
  )
}
