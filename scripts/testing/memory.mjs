import { readFile, statfs } from 'node:fs/promises'

const memory = '/dev/shm'
const gibibyte = 1024 ** 3

/**
 * Tests create and remove thousands of small files: databases, apps. On some disks the removal of one
 * database takes a second. Where Linux has a large folder in memory, temporary files go there.
 */
export async function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR) return
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  if (!allowsPrograms(mounts)) return
  const { bavail, bsize } = await statfs(memory)
  if (bavail * bsize >= 4 * gibibyte) process.env.TMPDIR = memory
}

/** Containers often forbid it there, and tests install packages with programs. */
export function allowsPrograms(mounts) {
  const fields = mounts.split('\n').map((line) => line.split(' '))
  const options = fields.findLast(([, path]) => path === memory)?.[3]
  return options !== undefined && !options.split(',').includes('noexec')
}
