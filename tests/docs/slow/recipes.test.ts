import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { run } from '../../cli/support/run'
import { writeModuleExamples } from '../support/module-examples'
import { copyProject } from '../support/project-copy'
import { type Applied, applyRecipe, recipes } from '../support/recipes'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

// Its test is use-postgresql.ci.test.ts, which needs a server.
const applicable = recipes.filter((name) => name !== 'postgresql')

let copy: string
const applied: Applied[] = []

beforeAll(async () => {
  copy = copyProject()
  for (const name of applicable) applied.push(await applyRecipe(name, copy))
  applied.push(writeModuleExamples(copy))
})

test.each(applicable)('%s names its tests', (name) => {
  const tests = applied[applicable.indexOf(name)]?.tests ?? []
  expect(tests.length).toBeGreaterThan(0)
  expect(tests.filter((path) => !existsSync(join(copy, path)))).toEqual([])
})

function runInCopy(...args: string[]): void {
  const { code, out, err } = run(process.execPath, args, copy)
  expect(code, out + err).toBe(0)
}

// All recipes and the module of packages/plinth/docs/modules.md together, which is much faster. At night each recipe
// is checked alone, and the tests of all run.
test.each([
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'packages/plinth'],
  ['declarations', 'packages/plinth/scripts/check/declarations.mjs'],
  ['imports', 'packages/plinth/scripts/check/imports.mjs'],
  ['generated lists', 'scripts/start.mjs', 'modules', '--check'],
])('the result passes the check of %s', (_, ...command) => {
  runInCopy(...command)
})

test('the documented code is formatted', () => {
  const paths = applied.flatMap(({ changed }) => changed)
  const checked = [...new Set(paths)].filter((path) => /\.(tsx?|css|json)$/.test(path))
  runInCopy('node_modules/@biomejs/biome/bin/biome', 'check', ...checked)
})
