import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'
import { repositoryOrigin } from './origin.mjs'

/** Resolves the value of `--to` or `--base`: a folder, a tarball, a version, or undefined. */
export async function resolveVersion(version, from) {
  if (version !== undefined && isPath(version)) return originAt(resolve(version))
  if (from.repository) return repositoryOrigin(from.repository, await commitOf(version, from))
  if (from.package) return { package: `create-plinth@${version ?? (await newestVersion())}` }
  throw new CommandError(
    'This app was created from a tarball. Pass the new one: --to ../create-plinth-VERSION.tgz',
  )
}

function isPath(version) {
  return /[\\/]|\.tgz$/.test(version) || existsSync(version)
}

async function originAt(path) {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new CommandError(`Not found: ${path}.`)
  return found.isDirectory() ? repositoryOrigin(path) : { tarball: path }
}

/** A released version is a tag of the repository. Any other git revision works too. */
async function commitOf(version, { repository }) {
  if (version === undefined) return 'HEAD'
  const tags = await runOrFail('git', ['tag', '--list', `v${version}`], { cwd: repository })
  return tags.length > 0 ? `v${version}` : version
}

async function newestVersion() {
  const out = await runOrFail('npm', ['view', 'create-plinth', 'version'])
  return out.toString().trim()
}
