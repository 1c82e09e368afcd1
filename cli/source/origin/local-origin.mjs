import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { serialize } from '../package/manifest.mjs'
import { findCommit } from './origin.mjs'

/** Ignored by git: where this machine has the template of the app. Read by packages/plinth/scripts/plinth too. */
const localFile = '.plinth/template.json'

/** The change that records an origin for this machine, or removes an earlier record. */
export function localChange(origin, version) {
  const text = localText(origin, version)
  return [localFile, text === undefined ? null : Buffer.from(text)]
}

/** Remembers the value of `--base`, so that the next command does not need it. */
export async function rememberLocally(app, origin, version) {
  const text = localText(origin, version)
  if (text === undefined) return
  await mkdir(dirname(join(app, localFile)), { recursive: true })
  await writeFile(join(app, localFile), text)
}

/** The origin on this machine, if it is still there and is the recorded version. */
export async function findLocally(app, { version, from }) {
  const text = await readFile(join(app, localFile), 'utf8').catch(() => '{}')
  const { repository, tarball, cli, ...local } = parse(text)
  if (repository && existsSync(repository)) {
    const commit = from.commit && (await findCommit(repository, from.commit))
    return commit && { repository, commit, url: from.repository }
  }
  if (local.version !== version) return undefined
  if (tarball && existsSync(tarball)) return { tarball, integrity: from.integrity }
  return cli && existsSync(cli) ? { cli } : undefined
}

/** The content of that file for an origin, or undefined if others find it too. */
function localText({ repository, tarball, cli }, version) {
  const path = repository ?? tarball ?? cli
  if (path === undefined) return undefined
  return serialize({ version, ...(repository ? { repository } : tarball ? { tarball } : { cli }) })
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
