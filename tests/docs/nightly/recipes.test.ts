import { readdirSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { linkPackages } from '../../cli/support/link-packages'
import { run } from '../../cli/support/run'
import { copyTemplate, temporaryFolder } from '../../cli/support/template'
import { applyRecipe, recipes } from '../support/recipes'

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 120_000 })

const settings = { TEST_DATABASE_URL: '', NIGHTLY: '' }

function expectSuccess(copy: string, ...args: string[]): void {
  const { code, out, err } = run(process.execPath, args, copy, settings)
  expect(code, out + err).toBe(0)
}

/** With packages of its own: a build does not follow links out of the project. */
async function copyWithPackages(): Promise<string> {
  const copy = copyTemplate(temporaryFolder())
  await linkPackages(copy)
  return copy
}

/** These start servers over and over, and no recipe changes what they test. */
const ofTheServer = /^(db\/embedded|doctor|faults|metrics|restore|server|traces)\//
/** It decides about each table of the template, and a recipe adds one. */
const ofEachTable = /\/personal-data\./

/** Files, because a folder would also select those of the same name in packages/plinth. */
const testsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)

const coreTests = testsIn('packages/plinth/tests').filter((path) => {
  const name = path.slice('packages/plinth/tests/'.length)
  return !ofTheServer.test(name) && !ofEachTable.test(name)
})

const applicable = recipes.filter((name) => name !== 'postgresql')

test.each(applicable)('with %s alone, all checks pass', async (name) => {
  const copy = await copyWithPackages()
  await applyRecipe(name, copy)
  expectSuccess(copy, 'scripts/start.mjs', 'check')
})

test('with all recipes, the tests of the project pass', async () => {
  const copy = await copyWithPackages()
  for (const name of applicable) await applyRecipe(name, copy)
  expectSuccess(copy, 'scripts/start.mjs', 'build')
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'once']
  const paths = [
    'src',
    ...testsIn('tests/architecture'),
    ...testsIn('tests/contract'),
    ...coreTests,
  ]
  expectSuccess(copy, ...vitest, '--project', 'embedded', ...paths)
})
