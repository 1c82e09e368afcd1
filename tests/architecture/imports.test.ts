import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkImports, rules, sourcesOf } from '../../scripts/check/imports.mjs'

const fixtures = 'tests/architecture/fixtures'

/** Where each fixture breaks its rule; files beside it that keep the rule must not be reported. */
const broken: Record<string, string> = {
  'no-circles': 'src/core/one',
  'core-knows-no-module': 'src/core/greeting',
  'module-knows-no-other-module': 'src/app/(admin)/data',
  'database-only-in-its-rooms': 'src/app/(admin)/page',
  'auth-library-only-in-oauth': 'src/core/auth/session',
  'interface-knows-no-next': 'src/core/http/cookies',
  'components-know-no-server': 'src/core/ui/person',
  'nothing-imports-the-host': 'src/core/again',
  'no-development-tools-in-the-product': 'src/core/check',
}

test('the tree keeps every rule, and all of it was read', async () => {
  const { read, violations } = await checkImports('.')
  expect(violations).toEqual([])
  expect(read).toBe((await sourcesOf('.')).length)
})

test('each rule has a fixture that breaks it', () => {
  expect(Object.keys(broken).sort()).toEqual([...rules].sort())
  expect(readdirSync(fixtures).sort()).toEqual([...rules].sort())
})

test.each(Object.entries(broken))('%s is noticed', async (rule, from) => {
  const { violations } = await checkImports(`${fixtures}/${rule}`)
  const found = violations.filter((violation) => violation.rule === rule)
  expect(found.map((violation) => violation.from)).toContain(from)
  if (rule !== 'no-circles') expect(found).toHaveLength(1)
})
