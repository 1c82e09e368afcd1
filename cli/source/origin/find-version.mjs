import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { succeed } from '../programs.mjs'
import { Stop } from '../stop.mjs'
import { repositoryOrigin } from './origin.mjs'

/** The origin that `--to` or `--base` means: a folder, a tarball, a version, or nothing said. */
export async function findVersion(said, from) {
  if (said !== undefined && looksLikePath(said)) return originAt(resolve(said))
  if (from.repository) return repositoryOrigin(from.repository, await commitOf(said, from))
  if (from.package) return { package: `create-plinth@${said ?? (await newest())}` }
  throw new Stop(
    'This app was made from a tarball: say which to take with --to ../create-plinth-VERSION.tgz.',
  )
}

function looksLikePath(said) {
  return /[\\/]|\.tgz$/.test(said) || existsSync(said)
}

async function originAt(path) {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Stop(`${path} is not there.`)
  return found.isDirectory() ? repositoryOrigin(path) : { tarball: path }
}

/** A released version is a tag of the repository; anything else that git knows will do too. */
async function commitOf(said, { repository }) {
  if (said === undefined) return 'HEAD'
  const tags = await succeed('git', ['tag', '--list', `v${said}`], { cwd: repository })
  return tags.length > 0 ? `v${said}` : said
}

async function newest() {
  const out = await succeed('npm', ['view', 'create-plinth', 'version'])
  return out.toString().trim()
}
