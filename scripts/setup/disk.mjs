import { rm, statfs, writeFile } from 'node:fs/promises'
import { CommandError } from '../errors.mjs'
import { inRoot, root } from '../paths.mjs'

/** Throws EROFS, EACCES or ENOSPC, which errorCodeMessage turns into a message. */
export async function requireWritableFolder() {
  const probe = inRoot(`.plinth-${process.pid}`)
  try {
    await writeFile(probe, 'write test')
    await rm(probe)
  } catch (error) {
    await rm(probe, { force: true }).catch(() => {})
    throw Object.assign(error, { path: root })
  }
}

export async function requireDiskSpace(megabytes, purpose) {
  const { bavail, bsize } = await statfs(root)
  const free = Math.floor((bavail * bsize) / 1_000_000)
  if (free >= megabytes) return
  throw new CommandError(
    `Not enough disk space: ${purpose} needs about ${megabytes} MB in ${root}, ${free} MB are free.`,
  )
}
