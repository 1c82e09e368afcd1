import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../errors.mjs'
import { cacheFolder, root } from '../paths.mjs'
import { onShutdown, runLogged } from '../processes.mjs'
import { showProgress, withStdoutToStderr } from '../terminal.mjs'

/** Other transports of git are not encrypted, or run programs. */
export function isRemoteUrl(text = '') {
  return /^(https|ssh):\/\/[^\s-]\S*$/.test(text) || /^[\w.]+@[\w.-]+:[\w~./-]+$/.test(text)
}

/**
 * The CLI at a revision of the template's repository: a commit, a version, or undefined for the
 * newest. The repository is cloned into the cache once.
 */
export async function cliOfRepository(url, revision) {
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
export async function unpackedCli(tarball) {
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
