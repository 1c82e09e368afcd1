import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { cacheFolder, inRoot, root } from '../paths.mjs'
import { onShutdown, runAttached, runLogged } from '../processes.mjs'
import {
  CommandError,
  printError,
  showProgress,
  wantsHelp,
  withStdoutToStderr,
} from '../terminal.mjs'

/** Runs the Plinth CLI in the version that this app was created with. */
export async function run(args) {
  const { command, env } = await untilCanceled(async () => {
    if (args[0] === 'generate' && !wantsHelp(args)) await installFormatter()
    return findCli(args)
  })
  const [program, ...programArgs] = command
  const { code } = await runAttached(program, [...programArgs, ...args], {
    cwd: process.cwd(),
    env: { ...process.env, PLINTH_PACKAGES: packageFolders(), ...env },
  })
  process.exitCode = code
}

/** The CLI compiles the engine with the packages of one of these, if it has to. */
function packageFolders() {
  return [inRoot('node_modules'), process.env.PLINTH_PACKAGES].filter(Boolean).join(delimiter)
}

/** The CLI says itself what a cancellation has left. Before it runs, the app is untouched. */
async function untilCanceled(prepare) {
  let done = false
  const finish = onShutdown(async () => {
    if (!done) printError('Canceled. Nothing was changed.')
  })
  try {
    return await prepare()
  } finally {
    done = true
    await finish()
  }
}

/** Generated code is formatted by the project's Biome. */
async function installFormatter() {
  if (existsSync(inRoot('node_modules', '@biomejs', 'biome'))) return
  const { install } = await import('../setup/install.mjs')
  await withStdoutToStderr(install)
}

/**
 * The command that starts the Plinth CLI. The app does not depend on the CLI: it comes with the
 * template, from --base, from this machine, or from where plinth.json says.
 *
 * @returns {Promise<{ command: string[], env?: Record<string, string> }>}
 */
async function findCli(args) {
  if (isTemplate()) return atPath(root)
  const given = flagValue(args, '--base') ?? process.env.PLINTH_SOURCE
  if (given) return atPath(resolve(given))
  const { version, from } = await readRecord()
  const isRemote = isRemoteUrl(from.repository)
  if (isRemote && isUpgrade(args)) return cliOfRepository(from.repository, flagValue(args, '--to'))
  const local = await findLocally(version)
  if (local) return atPath(local)
  if (isRemote) return cliOfRepository(from.repository, from.commit)
  const earlier = from.repository ?? from.tarball
  if (earlier) return atPath(resolve(root, earlier))
  if (from.package) return fromRegistry(packageFor(args, from.package))
  throw localCopyMissing(version, from)
}

/** The template contains its own CLI. */
function isTemplate() {
  return !existsSync(inRoot('plinth.json')) && existsSync(inRoot('cli', 'bin', 'plinth.mjs'))
}

function flagValue(args, flag) {
  const index = args.indexOf(flag)
  if (index !== -1) return args[index + 1]
  return args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1)
}

/** An upgrade runs in the target version of the CLI, every other command in the recorded version. */
function isUpgrade([command, ...rest]) {
  return command === 'upgrade' && !rest.includes('--undo')
}

async function readRecord() {
  const text = await readFile(inRoot('plinth.json'), 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text)
  throw new CommandError('No plinth.json found. Restore it from git.')
}

/** Ignored by git: where this machine has the template. */
async function findLocally(version) {
  const text = await readFile(inRoot('.plinth', 'template.json'), 'utf8').catch(() => '{}')
  const { repository, tarball, cli, ...local } = parse(text)
  const path = repository ?? (local.version === version ? (tarball ?? cli) : undefined)
  return path && existsSync(path) ? path : undefined
}

/** A damaged file is as good as none, because it is not in git. */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** A folder with the template's repository or the unpacked package, or a tarball. */
async function atPath(path) {
  if (path.endsWith('.tgz') && existsSync(path)) return node(await unpackedCli(path))
  const programs = [join(path, 'cli', 'bin', 'plinth.mjs'), join(path, 'bin', 'plinth.mjs')]
  const program = programs.find((file) => existsSync(file))
  if (program) return node(program)
  throw new CommandError(
    `Not found: ${path}, the template of this app. Pass its folder or tarball with --base.`,
  )
}

function node(program) {
  return { command: [process.execPath, program] }
}

function fromRegistry(name) {
  return { command: ['npm', 'exec', '--yes', `--package=${name}`, '--', 'plinth'] }
}

function packageFor(args, recorded) {
  if (!isUpgrade(args)) return recorded
  const to = flagValue(args, '--to') ?? ''
  return `create-plinth@${/^\d/.test(to) ? to : 'latest'}`
}

/** Not asked from the registry: anyone could have published that name. */
function localCopyMissing(version, { commit }) {
  const template = commit ? `${version} (commit ${commit.slice(0, 10)})` : version
  return new CommandError(
    `This app was created from a local copy of Plinth ${template}, which is not on this machine. Pass the folder or the tarball of it with --base.`,
  )
}

/** Other transports of git are not encrypted, or run programs. */
function isRemoteUrl(text = '') {
  return /^(https|ssh):\/\/[^\s-]\S*$/.test(text) || /^[\w.]+@[\w.-]+:[\w~./-]+$/.test(text)
}

/**
 * The CLI at a revision of the template's repository: a commit, a version, or undefined for the
 * newest. The repository is cloned into the cache once.
 */
async function cliOfRepository(url, revision) {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  const mirror = join(cacheFolder, `template-${name}.git`)
  const isNew = !existsSync(mirror)
  if (isNew) await clone(url, mirror)
  const isPinned = /^[0-9a-f]{40,}$/.test(revision ?? '')
  if (!isNew && !(isPinned && (await commitOf(mirror, revision)))) await update(url, mirror)
  const commit = await findRevision(mirror, revision)
  if (!commit) throw new CommandError(`${url} has no version or commit ${revision}.`)
  const target = join(cacheFolder, `template-${commit}`)
  if (!existsSync(target)) await extract(mirror, commit, target)
  const program = join(target, 'cli', 'bin', 'plinth.mjs')
  if (!existsSync(program)) throw new CommandError(`${url} is not the repository of the template.`)
  return { command: [process.execPath, program], env: { PLINTH_MIRROR: mirror } }
}

async function clone(url, mirror) {
  await mkdir(cacheFolder, { recursive: true })
  const draft = `${mirror}-${process.pid}`
  const removeDraft = onShutdown(() => rm(draft, { recursive: true, force: true }))
  const { code, log } = await gitWithProgress(`Cloning ${url}`, root, [
    'clone',
    '--mirror',
    '--',
    url,
    draft,
  ])
  if (code !== 0) {
    await removeDraft()
    throw new CommandError(
      `Cannot clone ${url}, the template of this app. Details: ${log}. If you have a copy, pass its folder or tarball with --base.`,
    )
  }
  // Another process may have been faster.
  await rename(draft, mirror).catch(() => {})
  await removeDraft()
}

/** Without a network the versions that were fetched before remain usable. */
async function update(url, mirror) {
  await gitWithProgress(`Updating ${url}`, mirror, ['fetch', '--prune', '--force', '--tags'])
}

async function gitWithProgress(title, cwd, args) {
  let result
  // A program may parse the output of the CLI.
  await withStdoutToStderr(async () => {
    const progress = showProgress(title)
    result = await git(cwd, args)
    progress.done(result.code === 0 ? 'done' : 'FAILED')
  })
  return result
}

async function findRevision(mirror, revision = 'HEAD') {
  return (await commitOf(mirror, `refs/tags/v${revision}`)) ?? commitOf(mirror, revision)
}

async function commitOf(mirror, revision) {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const { code, lines } = await git(mirror, args)
  return code === 0 ? lines[0] : undefined
}

async function extract(mirror, commit, target) {
  const archive = `${target}-${process.pid}.tar`
  await git(mirror, ['archive', '--format=tar', '-o', archive, commit])
  await unpack(archive, target)
  await rm(archive, { force: true })
}

async function git(cwd, args) {
  const log = join(cacheFolder, 'git.log')
  // Otherwise git would wait for a password.
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' }
  return { ...(await runLogged('git', args, { log, cwd, env })), log }
}

/** The program of the CLI in a package, which is unpacked once. It has no dependencies. */
async function unpackedCli(tarball) {
  const { size, mtimeMs } = await stat(tarball)
  const target = join(cacheFolder, `cli-${size}-${Math.floor(mtimeMs)}`)
  if (!existsSync(target)) await unpack(tarball, target)
  return join(target, 'package', 'bin', 'plinth.mjs')
}

/** Another process may unpack the same archive at the same time; the first one wins. */
async function unpack(archive, target) {
  const draft = `${target}-${process.pid}`
  await mkdir(draft, { recursive: true })
  const log = join(cacheFolder, 'cli.log')
  const { code } = await runLogged('tar', ['-xf', archive, '-C', draft], { log })
  if (code !== 0) throw new CommandError(`Cannot unpack ${archive}. Details: ${log}`)
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }))
}
