import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildah } from './buildah'

type ImageConfig = {
  Cmd: string[]
  Env: string[]
  User: string
  WorkingDir: string
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
}

export type Image = {
  config: ImageConfig
  /** The file system of a container of the image. */
  root: string
  /** A program that runs its arguments in the image. */
  program: string
  remove(): void
}

/** Builds the image of this project and makes a container of it. */
export function buildImage(...flags: string[]): Image {
  const all = [...flags, ...certificateFlags()]
  buildah('bud', '--quiet', '--format', 'docker', '--layers', ...all, '--tag', 'app', '.')
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'app'))
  const config: ImageConfig = Docker.config
  const container = buildah('from', 'app').trim()
  const root = buildah('mount', container).trim()
  return {
    config,
    root,
    program: writeProgram(root, config),
    remove() {
      buildah('rm', '--all')
      // The stages of each build would stay: more than a gigabyte a night.
      buildah('rmi', '--prune', '--force')
    },
  }
}

/** Where the registry of npm is behind a proxy with a certificate of its own, npm gets it too. */
function certificateFlags(): string[] {
  const { NODE_EXTRA_CA_CERTS } = process.env
  if (!NODE_EXTRA_CA_CERTS) return []
  const npmrc = join(mkdtempSync(join(tmpdir(), 'plinth-npmrc-')), 'npmrc')
  const inside = '/etc/ssl/extra-certificates.crt'
  writeFileSync(npmrc, `cafile=${inside}\n`)
  return [
    '--volume',
    `${NODE_EXTRA_CA_CERTS}:${inside}:ro`,
    '--volume',
    `${npmrc}:/usr/local/etc/npmrc:ro`,
  ]
}

/**
 * As `docker run --read-only --tmpfs /tmp --tmpfs /data`: the file system is read-only but for these
 * folders, and the user is that of the image. The network is that of this machine.
 */
function writeProgram(root: string, { Env, User, WorkingDir }: ImageConfig): string {
  const [user, group] = User.split(':')
  const settings = Env.map((line) => {
    const [name = '', value = ''] = line.split(/=(.*)/s)
    return name === 'PATH' ? `export PATH='${value}'` : `export ${name}="\${${name}-${value}}"`
  })
  const script = `#!/bin/sh
[ "$1" = inside ] || exec unshare --mount -- "$0" inside "$@"
shift
set -e
mount --bind '${root}' '${root}'
mount -t tmpfs -o mode=1777 tmpfs '${root}/tmp'
mount -t tmpfs -o mode=0755,uid=${user},gid=${group} tmpfs '${root}/data'
mount -t proc proc '${root}/proc'
mount --rbind /dev '${root}/dev'
mount -o remount,bind,ro '${root}'
unset TMPDIR NODE_EXTRA_CA_CERTS
${settings.join('\n')}
exec /usr/sbin/chroot --userspec=${User} --groups=${group} '${root}' \\
  /bin/sh -c 'cd ${WorkingDir} && exec "$@"' sh "$@"
`
  const program = join(mkdtempSync(join(tmpdir(), 'plinth-image-')), 'run-in-image')
  writeFileSync(program, script)
  chmodSync(program, 0o755)
  return program
}
