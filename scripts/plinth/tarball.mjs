import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../errors.mjs'
import { cacheFolder } from '../paths.mjs'
import { runLogged } from '../processes.mjs'

/** The program of the CLI in a package, which is unpacked once. It has no dependencies. */
export async function unpackedCli(tarball) {
  const { size, mtimeMs } = await stat(tarball)
  const target = join(cacheFolder, `cli-${size}-${Math.floor(mtimeMs)}`)
  if (!existsSync(target)) await unpack(tarball, target)
  return join(target, 'package', 'bin', 'plinth.mjs')
}

/** Another process may unpack the same archive at the same time; the first one wins. */
export async function unpack(archive, target) {
  const draft = `${target}-${process.pid}`
  await mkdir(draft, { recursive: true })
  const log = join(cacheFolder, 'cli.log')
  const { code } = await runLogged('tar', ['-xf', archive, '-C', draft], { log })
  if (code !== 0) throw new CommandError(`Cannot unpack ${archive}. Details: ${log}`)
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }))
}
