import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digest } from '../module/digest.mjs'
import { run } from '../programs.mjs'

/** Ignored by git: the original files of modules that are not from the template, by digest. */
const folder = '.plinth/originals'

/** The changes that keep these originals on this machine. */
export function keepOriginals(files) {
  return new Map([...files].map(([, content]) => [`${folder}/${digest(content)}`, content]))
}

/** The changes that delete the originals that the record no longer names. */
export function deleteOriginals(before, after) {
  const current = digestsIn(after)
  const unused = digestsIn(before).filter((name) => !current.includes(name))
  return new Map(unused.map((name) => [`${folder}/${name}`, null]))
}

function digestsIn({ added }) {
  return Object.values(added).flatMap(({ files }) => Object.values(files))
}

/** From this machine, or in a clone from the history of git. Undefined if neither has it. */
export async function readOriginal(app, path, expected) {
  const local = await readFile(join(app, folder, expected)).catch(() => undefined)
  return local && digest(local) === expected ? local : findInHistory(app, path, expected)
}

async function findInHistory(app, path, expected) {
  const git = (...args) => run('git', args, { cwd: app }).catch(() => ({ code: 1 }))
  const { code, out } = await git('log', '--all', '--format=%H', '--', path)
  if (code !== 0) return undefined
  for (const commit of out.toString().split('\n').filter(Boolean)) {
    const version = await git('show', `${commit}:./${path}`)
    if (version.code === 0 && digest(version.out) === expected) return version.out
  }
  return undefined
}
