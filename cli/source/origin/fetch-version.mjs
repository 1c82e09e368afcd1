import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'

/**
 * Extracts the version at an origin into `folder` and returns the folder of its CLI. The CLI has no
 * dependencies, so it can run from there.
 */
export async function fetchVersion(origin, folder) {
  await mkdir(folder, { recursive: true })
  if (origin.repository) return fromRepository(origin, folder)
  if (origin.tarball) return fromTarball(origin, folder)
  return fromRegistry(origin.package, folder)
}

async function fromRepository({ repository, commit }, folder) {
  if (!existsSync(repository)) throw new CommandError(`Repository not found: ${repository}.`)
  const archive = await runOrFail('git', ['archive', '--format=tar', commit], { cwd: repository })
  await runOrFail('tar', ['-xf', '-', '-C', folder], { input: archive })
  if (!existsSync(join(folder, 'cli'))) {
    throw new CommandError(`Commit ${commit.slice(0, 10)} of ${repository} has no cli/ folder.`)
  }
  return join(folder, 'cli')
}

async function fromTarball({ tarball, integrity }, folder) {
  const content = await readFile(tarball).catch(() => undefined)
  if (!content) throw new CommandError(`Tarball not found: ${tarball}.`)
  const found = `sha512-${createHash('sha512').update(content).digest('base64')}`
  if (integrity && integrity !== found)
    throw new CommandError(`${tarball} has changed: its checksum does not match plinth.json.`)
  await runOrFail('tar', ['-xzf', tarball, '-C', folder])
  return join(folder, 'package')
}

async function fromRegistry(name, folder) {
  const flags = ['pack', name, '--pack-destination', folder, '--silent']
  await runOrFail('npm', flags, { cwd: folder }).catch((error) => {
    throw new CommandError(`Cannot fetch ${name} from the registry.`, error.details)
  })
  const [tarball] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  return fromTarball({ tarball: join(folder, tarball) }, folder)
}
