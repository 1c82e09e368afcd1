import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'
import { locate } from './locate.mjs'
import { mirror } from './mirror.mjs'
import { findCommit, originAt, repositoryOrigin } from './origin.mjs'
import { isRemoteUrl } from './remote-url.mjs'

/** The origin of `--to`: a folder, a tarball, a version, or undefined for the newest version. */
export async function resolveTarget(version, app, temporary) {
  if (version !== undefined && isPath(version)) return originAt(resolve(version))
  const { repository: url } = app.record.from
  if (url && isRemoteUrl(url)) return inRepository(version, url, join(temporary, 'mirror'))
  const origin = await locate(app)
  if (origin.repository) {
    return repositoryOrigin(origin.repository, await revisionOf(version, origin.repository))
  }
  if (origin.package) return { package: `create-plinth@${version ?? (await newestVersion())}` }
  throw new CommandError(
    'This app was created from a tarball. Pass the new one: --to ../create-plinth-VERSION.tgz',
  )
}

/** The origin of `--base`: in a repository, the recorded commit. */
export async function resolveBase(path, { record }) {
  const absolute = resolve(path)
  const origin = await originAt(absolute)
  const { commit } = record.from
  if (!origin.repository || !commit) return origin
  if (await findCommit(absolute, commit)) return { ...origin, commit }
  throw new CommandError(
    `${absolute} has no commit ${commit}, which this app was created from. Fetch it there, or pass another --base.`,
  )
}

function isPath(version) {
  return /[\\/]|\.tgz$/.test(version) || existsSync(version)
}

async function inRepository(version, url, folder) {
  const repository = await mirror(url, folder, 'HEAD')
  const { commit } = await repositoryOrigin(repository, await revisionOf(version, repository))
  return { url, commit }
}

/** A released version is a tag of the repository. Any other git revision works too. */
async function revisionOf(version, repository) {
  if (version === undefined) return 'HEAD'
  const tags = await runOrFail('git', ['tag', '--list', `v${version}`], { cwd: repository })
  return tags.length > 0 ? `v${version}` : version
}

async function newestVersion() {
  const out = await runOrFail('npm', ['view', 'create-plinth', 'version'])
  return out.toString().trim()
}
