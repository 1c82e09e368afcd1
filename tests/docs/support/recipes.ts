import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applySteps, type RunCommand, runInShell } from './apply-steps'
import { parseDocument } from './parse-document'

const folder = 'packages/plinth/docs/recipes'

export const recipes = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .map((name) => name.replace(/\.md$/, ''))

export function readRecipe(name: string): string {
  return readFileSync(join(folder, `${name}.md`), 'utf8')
}

export type Applied = { changed: string[]; tests: string[] }

/** Applies a recipe to a copy of the project, except that the tests it names are not run yet. */
export function applyRecipe(name: string, copy: string): Promise<Applied> {
  return applyText(readRecipe(name), copy)
}

export async function applyText(recipe: string, copy: string): Promise<Applied> {
  const tests: string[] = []
  const collectTests: RunCommand = (command, inFolder) => {
    const paths = /^npm test -- (.+)\n$/.exec(command.replaceAll('\\\n', ' '))?.[1]
    if (paths === undefined) return runInShell(command, inFolder)
    tests.push(...(paths.match(/"[^"]+"|\S+/g) ?? []).map((path) => path.replaceAll('"', '')))
    return ''
  }
  const changed = await applySteps(parseDocument(recipe), copy, collectTests)
  return { changed, tests }
}
