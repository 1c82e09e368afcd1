import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildah } from './buildah'

const name = 'docker.io/library/node:24-slim'

/**
 * The base image from its registry. Where no registry can be reached, a stand-in of the same Debian
 * packages and the same version of Node, under the same name, in the storage of this test only.
 */
export function provideBaseImage(): 'cached' | 'pulled' | 'stand-in' {
  if (succeeds(() => buildah('inspect', '--type', 'image', name))) return 'cached'
  if (succeeds(() => buildah('pull', '--quiet', name))) return 'pulled'
  const folder = mkdtempSync(join(tmpdir(), 'plinth-base-'))
  try {
    const root = join(folder, 'root')
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', root], { stdio: 'ignore' })
    addNode(root, join(folder, 'packages'))
    const container = buildah('from', 'scratch').trim()
    buildah('add', '--quiet', container, root, '/')
    buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', '--cmd', 'node', container)
    buildah('commit', '--quiet', '--rm', container, name)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 'stand-in'
}

/** Node, npm and the user `node`, as in the image. The packages have no install scripts. */
function addNode(root: string, packages: string): void {
  const platform = `node-linux-${process.arch}`
  mkdirSync(packages)
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${platform}@24`, 'npm@11'],
    { cwd: packages, stdio: 'ignore' },
  )
  const local = join(root, 'usr/local')
  const binary = join(packages, 'node_modules', platform, 'bin/node')
  copyFileSync(binary, join(local, 'bin/node'))
  chmodSync(join(local, 'bin/node'), 0o755)
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true })
  execFileSync('cp', ['-R', join(packages, 'node_modules/npm'), join(local, 'lib/node_modules')])
  for (const program of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${program}-cli.js`, join(local, 'bin', program))
  }
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n')
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n')
  mkdirSync(join(root, 'home/node'))
  // The official image has no lists of packages either.
  for (const folder of ['var/lib/apt/lists', 'var/cache/apt/archives']) {
    for (const entry of readdirSync(join(root, folder))) {
      rmSync(join(root, folder, entry), { recursive: true, force: true })
    }
  }
}

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
