import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runOrFail } from '../programs.mjs'
import { readTree } from '../tree.mjs'
import { decodeDotfiles } from './dotfiles.mjs'
import { isIncluded } from './excluded.mjs'
import { isPacked, templateRoot } from './location.mjs'

/** All files of an app with every module and every provider. */
export async function readTemplate() {
  if (isPacked) {
    const tree = await readTree(templateRoot)
    return new Map([...tree].map(([path, content]) => [decodeDotfiles(path), content]))
  }
  if (!existsSync(join(templateRoot, '.git'))) return readTree(templateRoot, isIncluded)
  const tree = new Map()
  for (const path of await repositoryPaths()) {
    tree.set(path, await readFile(join(templateRoot, path)))
  }
  return tree
}

/** Without the files that git ignores. */
async function repositoryPaths() {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const out = await runOrFail('git', list, { cwd: templateRoot })
  const paths = out.toString().split('\0').filter(Boolean).filter(isIncluded)
  return paths.filter((path) => existsSync(join(templateRoot, path))).sort()
}
