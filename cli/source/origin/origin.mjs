import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { run, runOrFail } from '../programs.mjs'
import { cliRoot, isPacked, templateRoot } from '../template/location.mjs'
import { ownVersion } from './own-version.mjs'
import { remoteUrlOf } from './remote-url.mjs'

/**
 * An origin is where a version of the template is: `{ repository, commit, url }`, where the repository
 * is a folder and the URL is what others can use, `{ tarball, integrity }`, `{ cli }` for an unpacked
 * package, or `{ package }` for the registry.
 *
 * @returns the origin of this CLI
 */
export async function ownOrigin() {
  if (!isPacked) return repositoryOrigin(templateRoot)
  const { resolved = '', integrity, path } = (await installedFrom()) ?? {}
  if (resolved.startsWith('file:')) return { tarball: path, integrity }
  return /^https?:/.test(resolved) ? { package: `create-plinth@${ownVersion}` } : { cli: cliRoot }
}

/** The origin at a path: a folder with the template's repository, or a tarball. */
export async function originAt(path, commitish) {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new CommandError(`Not found: ${path}.`)
  return found.isDirectory() ? repositoryOrigin(path, commitish) : tarballOrigin(path)
}

export async function repositoryOrigin(folder, commitish = 'HEAD') {
  const commit = await findCommit(folder, commitish)
  if (!commit) {
    throw new CommandError(
      `${folder} has no commit ${commitish}. An app records the commit it is created from.`,
    )
  }
  return { repository: folder, commit, url: await remoteUrlOf(folder) }
}

export async function findCommit(folder, commitish) {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commitish}^{commit}`]
  const { code, out } = await run('git', args, { cwd: folder })
  return code === 0 ? out.toString().trim() : undefined
}

async function tarballOrigin(tarball) {
  const content = await readFile(tarball)
  return { tarball, integrity: integrityOf(content) }
}

export function integrityOf(content) {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`
}

/** The parts that plinth.json records: only what a clone on another machine can use or compare. */
export function recordedOrigin(origin) {
  if (origin.package) return { package: origin.package }
  if (origin.url) return { repository: origin.url, commit: origin.commit }
  if (origin.commit) return { commit: origin.commit }
  return origin.integrity ? { integrity: origin.integrity } : {}
}

export async function hasUncommittedChanges(folder) {
  const out = await runOrFail('git', ['status', '--porcelain'], { cwd: folder })
  return out.length > 0
}

/** npm records the source of each package in node_modules/.package-lock.json. */
async function installedFrom() {
  const modules = dirname(cliRoot)
  if (basename(modules) !== 'node_modules') return undefined
  const text = await readFile(join(modules, '.package-lock.json'), 'utf8').catch(() => '{}')
  const entry = JSON.parse(text).packages?.['node_modules/create-plinth']
  if (!entry?.resolved?.startsWith('file:')) return entry
  return { ...entry, path: resolve(dirname(modules), entry.resolved.slice('file:'.length)) }
}
