import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { succeed } from '../programs.mjs'
import { Stop } from '../stop.mjs'

/**
 * Puts the version that an origin names into `folder`, and answers with the folder of its cli. The
 * cli needs nothing installed, so that is enough to run it.
 */
export async function materialise(origin, folder) {
  await mkdir(folder, { recursive: true })
  if (origin.repository) return fromRepository(origin, folder)
  if (origin.tarball) return fromTarball(origin, folder)
  return fromRegistry(origin.package, folder)
}

async function fromRepository({ repository, commit }, folder) {
  if (!existsSync(repository)) throw new Stop(`The repository ${repository} is not there.`)
  const archive = await succeed('git', ['archive', '--format=tar', commit], { cwd: repository })
  await succeed('tar', ['-xf', '-', '-C', folder], { input: archive })
  if (!existsSync(join(folder, 'cli'))) {
    throw new Stop(`Commit ${commit.slice(0, 10)} of ${repository} has no cli/ to ask.`)
  }
  return join(folder, 'cli')
}

async function fromTarball({ tarball, integrity }, folder) {
  const content = await readFile(tarball).catch(() => undefined)
  if (!content) throw new Stop(`The tarball ${tarball} is not there.`)
  const found = `sha512-${createHash('sha512').update(content).digest('base64')}`
  if (integrity && integrity !== found) throw new Stop(`${tarball} is not what it was.`)
  await succeed('tar', ['-xzf', tarball, '-C', folder])
  return join(folder, 'package')
}

async function fromRegistry(name, folder) {
  const flags = ['pack', name, '--pack-destination', folder, '--silent']
  await succeed('npm', flags, { cwd: folder }).catch((error) => {
    throw new Stop(`${name} could not be fetched from the registry.`, error.details)
  })
  const [tarball] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  return fromTarball({ tarball: join(folder, tarball) }, folder)
}
