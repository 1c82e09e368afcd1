import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Not in the project: other tests copy its folders. Not in memory, as the temporary folder may be. */
const folder = '/var/tmp/plinth-containers'

/** Images and containers of this test only: a stand-in for a base image must not be found elsewhere. */
export function buildah(...args: string[]): string {
  mkdirSync(folder, { recursive: true })
  const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')]
  return execFileSync('buildah', [...storage, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
  })
}
