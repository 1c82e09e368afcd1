import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { succeed } from '../programs.mjs'
import { readTree } from '../tree.mjs'
import { withDots } from './dots.mjs'
import { isInApps } from './left-out.mjs'
import { isPacked, templateRoot } from './location.mjs'

/** All that an app with every module and every provider would hold, as the template has it. */
export async function readTemplate() {
  if (isPacked) {
    const tree = await readTree(templateRoot)
    return new Map([...tree].map(([path, content]) => [withDots(path), content]))
  }
  if (!existsSync(join(templateRoot, '.git'))) return readTree(templateRoot, isInApps)
  const tree = new Map()
  for (const path of await pathsOfRepository()) {
    tree.set(path, await readFile(join(templateRoot, path)))
  }
  return tree
}

/** What git ignores is not among them. */
async function pathsOfRepository() {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const out = await succeed('git', list, { cwd: templateRoot })
  const paths = out.toString().split('\0').filter(Boolean).filter(isInApps)
  return paths.filter((path) => existsSync(join(templateRoot, path))).sort()
}
