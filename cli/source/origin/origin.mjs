import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { run, runOrFail } from '../programs.mjs'
import { cliRoot, isPacked, templateRoot } from '../template/location.mjs'
import { ownVersion } from './own-version.mjs'

/**
 * The origin of this CLI, which is recorded in the app: a repository and its commit, a tarball, or
 * the registry. Paths are absolute here and relative in the record.
 */
export async function ownOrigin() {
  if (!isPacked) return repositoryOrigin(templateRoot)
  const installed = await installedFrom()
  if (installed?.resolved?.startsWith('file:')) {
    return { tarball: installed.path, integrity: installed.integrity }
  }
  return { package: `create-plinth@${ownVersion}` }
}

export async function repositoryOrigin(folder, commitish = 'HEAD') {
  const found = await run('git', ['rev-parse', '--verify', `${commitish}^{commit}`], {
    cwd: folder,
  })
  if (found.code !== 0) {
    throw new CommandError(
      `${folder} has no commit ${commitish}. An app records the commit it is created from.`,
    )
  }
  return { repository: folder, commit: found.out.toString().trim() }
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
