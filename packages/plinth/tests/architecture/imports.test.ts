import { readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checkImports, rules } from '../../scripts/check/imports.mjs'

const fixtures = relative('.', fileURLToPath(new URL('fixtures', import.meta.url)))

// `npm run check` reads the tree itself, and fails if a file of it was not read.

/** The file in each fixture that breaks its rule. The other files keep it. */
const violations: Record<string, string> = {
  'layer-universal': 'packages/plinth/src/universal/lower',
  'layer-config': 'packages/plinth/src/config/lower',
  'layer-metrics': 'packages/plinth/src/metrics/lower',
  'layer-log': 'packages/plinth/src/log/lower',
  'layer-db': 'packages/plinth/src/db/lower',
  'layer-http': 'packages/plinth/src/http/lower',
  'layer-jobs': 'packages/plinth/src/jobs/lower',
  'layer-services': 'packages/plinth/src/mail/lower',
  'layer-sessions': 'packages/plinth/src/auth/sessions/lower',
  'layer-passwords': 'packages/plinth/src/auth/passwords/lower',
  'layer-accounts': 'packages/plinth/src/auth/accounts/lower',
  'layer-oauth': 'packages/plinth/src/auth/oauth/lower',
  'services-are-independent': 'packages/plinth/src/mail/send',
  'layer-guard': 'packages/plinth/src/guard/lower',
  'layer-modules': 'packages/plinth/src/modules/lower',
  'layer-api': 'packages/plinth/src/api/lower',
  'no-cycles': 'packages/plinth/src/config/one',
  'core-imports-no-module': 'packages/plinth/src/log/list',
  'modules-are-independent': 'src/app/(admin)/data',
  'database-access': 'src/app/(admin)/page',
  'authjs-only-in-oauth': 'packages/plinth/src/auth/sessions/session',
  'api-imports-no-next': 'packages/plinth/src/http/cookies',
  'ui-imports-no-server': 'src/ui/user',
  'main-is-not-imported': 'packages/plinth/src/log/start',
  'testing-is-for-tests': 'src/app/(admin)/data',
  'no-dev-dependencies': 'packages/plinth/src/log/check',
  'engine-by-its-exports': 'src/app/(admin)/data',
}

test('each rule has a fixture', () => {
  expect(Object.keys(violations).sort()).toEqual([...rules].sort())
  expect(readdirSync(fixtures).sort()).toEqual([...rules, 'rule-of-the-app'].sort())
})

test.each(Object.entries(violations))('%s reports its fixture', async (rule, from) => {
  const result = await checkImports(`${fixtures}/${rule}`)
  const found = result.violations.filter((violation) => violation.rule === rule)
  expect(found.map((violation) => violation.from)).toContain(from)
  if (rule !== 'no-cycles') expect(found).toHaveLength(1)
})

test('a rule that the app adds is checked too', async () => {
  const { violations: found } = await checkImports(`${fixtures}/rule-of-the-app`)
  expect(found).toEqual([{ rule: 'no-banner', from: 'src/mail/message', to: 'src/mail/banner' }])
})
