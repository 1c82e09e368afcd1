import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'
import { mirror } from './mirror.mjs'
import { integrityOf } from './origin.mjs'

/**
 * Extracts the version at an origin into `folder` and returns the folder of its CLI. The CLI has no
 * dependencies, so it can run from there.
 */
export async function fetchVersion(origin, folder) {
  if (origin.cli) return origin.cli
  await mkdir(folder, { recursive: true })
  if (origin.repository) return fromRepository(origin, folder)
  if (origin.url) {
    const repository = await mirror(origin.url, join(folder, 'repository'), origin.commit)
    return fromRepository({ ...origin, repository }, folder)
  }
  if (origin.tarball) return fromTarball(origin, folder)
  return fromRegistry(origin.package, folder)
}

async function fromRepository({ repository, commit }, folder) {
  if (!existsSync(repository)) throw new CommandError(`Repository not found: ${repository}.`)
  const target = join(folder, 'template')
  await mkdir(target, { recursive: true })
  const archive = await runOrFail('git', ['archive', '--format=tar', commit], { cwd: repository })
  await runOrFail('tar', ['-xf', '-', '-C', target], { input: archive })
  if (!existsSync(join(target, 'cli'))) {
    throw new CommandError(`Commit ${commit.slice(0, 10)} of ${repository} has no cli/ folder.`)
  }
  return join(target, 'cli')
}

async function fromTarball({ tarball, integrity }, folder) {
  const content = await readFile(tarball).catch(() => undefined)
  if (!content) throw new CommandError(`Tarball not found: ${tarball}.`)
  if (integrity && integrity !== integrityOf(content))
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
