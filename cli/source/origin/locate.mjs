import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { findLocally } from './local-origin.mjs'
import { isRemoteUrl } from './remote-url.mjs'

/** The origin of an app's template: from this machine, or as recorded. */
export async function locate({ folder, record }) {
  return (
    (await findLocally(folder, record)) ??
    remoteOrigin(record) ??
    earlierOrigin(folder, record) ??
    fail(record)
  )
}

function remoteOrigin({ from: { repository, commit } }) {
  return repository && isRemoteUrl(repository) ? { url: repository, commit } : undefined
}

/** Earlier versions recorded paths relative to the app. */
function earlierOrigin(folder, { from }) {
  const { repository, commit, tarball, integrity } = from
  const path = repository ?? tarball
  if (path === undefined) return from.package ? from : undefined
  const absolute = resolve(folder, path)
  if (!existsSync(absolute)) return undefined
  return repository ? { repository: absolute, commit } : { tarball: absolute, integrity }
}

/** Not asked from the registry: anyone could have published that name. */
function fail({ version, from: { commit } }) {
  const name = commit ? `Plinth ${version} (commit ${commit.slice(0, 10)})` : `Plinth ${version}`
  throw new CommandError(
    `This app was created from a local copy of ${name}, which is not on this machine. Pass the folder or the tarball of it with --base.`,
  )
}
