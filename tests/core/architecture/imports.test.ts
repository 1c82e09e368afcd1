import { readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checkImports, rules } from '../../../scripts/check/imports.mjs'

const fixtures = relative('.', fileURLToPath(new URL('fixtures', import.meta.url)))

// `npm run check` reads the tree itself, and fails if a file of it was not read.

/** The file in each fixture that breaks its rule. The other files keep it. */
const violations: Record<string, string> = {
  'layer-universal': 'src/core/universal/lower',
  'layer-config': 'src/core/config/lower',
  'layer-metrics': 'src/core/metrics/lower',
  'layer-log': 'src/core/log/lower',
  'layer-db': 'src/core/db/lower',
  'layer-http': 'src/core/http/lower',
  'layer-jobs': 'src/core/jobs/lower',
  'layer-services': 'src/core/mail/lower',
  'layer-sessions': 'src/core/auth/sessions/lower',
  'layer-passwords': 'src/core/auth/passwords/lower',
  'layer-accounts': 'src/core/auth/accounts/lower',
  'layer-oauth': 'src/core/auth/oauth/lower',
  'services-are-independent': 'src/core/mail/send',
  'layer-guard': 'src/core/guard/lower',
  'layer-modules': 'src/core/modules/lower',
  'layer-api': 'src/core/api/lower',
  'no-cycles': 'src/core/config/one',
  'core-imports-no-module': 'src/core/log/list',
  'modules-are-independent': 'src/app/(admin)/data',
  'database-access': 'src/app/(admin)/page',
  'authjs-only-in-oauth': 'src/core/auth/sessions/session',
  'api-imports-no-next': 'src/core/http/cookies',
  'ui-imports-no-server': 'src/ui/user',
  'entry-points-are-not-imported': 'src/core/log/start',
  'no-dev-dependencies': 'src/core/log/check',
}

test('each rule has a fixture', () => {
  expect(Object.keys(violations).sort()).toEqual([...rules].sort())
  expect(readdirSync(fixtures).sort()).toEqual([...rules].sort())
})

test.each(Object.entries(violations))('%s reports its fixture', async (rule, from) => {
  const result = await checkImports(`${fixtures}/${rule}`)
  const found = result.violations.filter((violation) => violation.rule === rule)
  expect(found.map((violation) => violation.from)).toContain(from)
  if (rule !== 'no-cycles') expect(found).toHaveLength(1)
})
