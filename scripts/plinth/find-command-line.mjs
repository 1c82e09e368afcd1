import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Stop } from '../failure.mjs'
import { cacheFolder, inRoot, root } from '../paths.mjs'
import { runLogged } from '../processes.mjs'

/**
 * How to start the program that adds, removes and upgrades. The app does not depend on it: it comes
 * from where the app came from, which plinth.json remembers. PLINTH_SOURCE, a tarball or the folder
 * of the template's repository, takes its place.
 */
export async function findCommandLine(args) {
  const from = await readOrigin()
  if (from.repository) return fromRepository(resolve(root, from.repository))
  if (from.tarball) return fromTarball(resolve(root, from.tarball))
  return ['npm', 'exec', '--yes', `--package=${packageFor(args, from.package)}`, '--', 'plinth']
}

async function readOrigin() {
  const said = process.env.PLINTH_SOURCE
  if (said) return said.endsWith('.tgz') ? { tarball: said } : { repository: said }
  const text = await readFile(inRoot('plinth.json'), 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text).from
  throw new Stop('This is the template itself: npm run create -- ../my-app makes an app of it.')
}

function fromRepository(folder) {
  const program = join(folder, 'cli', 'bin', 'plinth.mjs')
  if (existsSync(program)) return [process.execPath, program]
  throw missing(folder)
}

/** Unpacked once; it needs nothing installed. */
async function fromTarball(tarball) {
  const found = await stat(tarball).catch(() => undefined)
  if (!found) throw missing(tarball)
  const place = join(cacheFolder, `program-${found.size}-${Math.floor(found.mtimeMs)}`)
  if (!existsSync(place)) await unpack(tarball, place)
  return [process.execPath, join(place, 'package', 'bin', 'plinth.mjs')]
}

async function unpack(tarball, place) {
  const draft = `${place}-${process.pid}`
  await mkdir(draft, { recursive: true })
  const log = join(cacheFolder, 'program.log')
  const { code } = await runLogged('tar', ['-xzf', tarball, '-C', draft], { log })
  if (code !== 0) throw new Stop(`${tarball} could not be unpacked.`)
  // Somebody else may have been quicker; theirs is as good.
  await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }))
}

/** An upgrade is made by the version that it leads to, everything else by the one that is here. */
function packageFor([command, ...rest], recorded) {
  if (command !== 'upgrade') return recorded
  const to = rest[rest.indexOf('--to') + 1] ?? ''
  return `create-plinth@${rest.includes('--to') && /^\d/.test(to) ? to : 'latest'}`
}

function missing(path) {
  return new Stop(
    `This app was made from ${path}, which is not there. PLINTH_SOURCE=path names another place.`,
  )
}
