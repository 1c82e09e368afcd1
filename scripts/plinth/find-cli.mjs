import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError } from '../errors.mjs'
import { cacheFolder, inRoot, root } from '../paths.mjs'
import { runLogged } from '../processes.mjs'

/**
 * The command that starts the Plinth CLI. The app does not depend on the CLI: it comes from the
 * source recorded in plinth.json, or from PLINTH_SOURCE, which is a tarball or a folder with the
 * template's repository.
 */
export async function findCli(args) {
  if (isTemplate()) return fromRepository(root)
  const from = await readOrigin()
  if (from.repository) return fromRepository(resolve(root, from.repository))
  if (from.tarball) return fromTarball(resolve(root, from.tarball))
  return ['npm', 'exec', '--yes', `--package=${packageFor(args, from.package)}`, '--', 'plinth']
}

async function readOrigin() {
  const source = process.env.PLINTH_SOURCE
  if (source) return source.endsWith('.tgz') ? { tarball: source } : { repository: source }
  const text = await readFile(inRoot('plinth.json'), 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text).from
  throw new CommandError('No plinth.json found. Restore it from git.')
}

/** The template contains its own CLI. */
function isTemplate() {
  return !existsSync(inRoot('plinth.json')) && existsSync(inRoot('cli', 'bin', 'plinth.mjs'))
}

function fromRepository(folder) {
  const program = join(folder, 'cli', 'bin', 'plinth.mjs')
  if (existsSync(program)) return [process.execPath, program]
  throw missingSource(folder)
}

/** Unpacked once; the CLI has no dependencies. */
async function fromTarball(tarball) {
  const found = await stat(tarball).catch(() => undefined)
  if (!found) throw missingSource(tarball)
  const target = join(cacheFolder, `cli-${found.size}-${Math.floor(found.mtimeMs)}`)
  if (!existsSync(target)) await unpack(tarball, target)
  return [process.execPath, join(target, 'package', 'bin', 'plinth.mjs')]
}

async function unpack(tarball, target) {
  const draft = `${target}-${process.pid}`
  await mkdir(draft, { recursive: true })
  const log = join(cacheFolder, 'cli.log')
  const { code } = await runLogged('tar', ['-xzf', tarball, '-C', draft], { log })
  if (code !== 0) throw new CommandError(`Cannot unpack ${tarball}. Details: ${log}`)
  // Another process may have unpacked the same tarball first.
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }))
}

/** An upgrade runs in the target version of the CLI, every other command in the recorded version. */
function packageFor([command, ...rest], recorded) {
  if (command !== 'upgrade' || rest.includes('--undo')) return recorded
  const to = rest[rest.indexOf('--to') + 1] ?? ''
  return `create-plinth@${rest.includes('--to') && /^\d/.test(to) ? to : 'latest'}`
}

function missingSource(path) {
  return new CommandError(
    `Not found: ${path}, the source of this app. Set PLINTH_SOURCE to its new path.`,
  )
}
