import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './project'

const isRoot = process.getuid?.() === 0

/** Only root can mount. CI runs as root, so these tests are never skipped there. */
export const canMount = process.platform === 'linux' && (isRoot || process.env.CI === 'true')

/** A separate file system of this size. */
export function mountSmallDisk(megabytes: number) {
  const folder = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

export function makeReadOnly(folder: string) {
  execFileSync('mount', ['--bind', folder, folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  execFileSync('mount', ['-o', 'remount,bind,ro', folder])
}
