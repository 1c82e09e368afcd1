import { actionsSource } from './actions.mjs'
import { apiSource } from './api.mjs'
import { formSource, tableSource } from './components.mjs'
import { dataSource } from './data.mjs'
import { moduleSource, packageSource, readmeSource } from './manifest.mjs'
import { editPageSource, listPageSource, newPageSource } from './pages.mjs'
import { fieldsSource, policySource, querySource } from './rules.mjs'
import { showPageSource } from './show-page.mjs'
import { migrationSource, schemaSource } from './table.mjs'
import { apiTestSource } from './tests/api.mjs'
import { authorizationTestSource } from './tests/authorization.mjs'
import { behaviorTestSource } from './tests/behavior.mjs'
import { browserTestSource } from './tests/browser.mjs'

/** The files of a module by path in its folder. */
export function moduleFiles(model) {
  const { id, one } = model
  return {
    'package.json': packageSource(model),
    'README.md': readmeSource(model),
    'module.ts': moduleSource(model),
    'policy.ts': policySource(model),
    'fields.ts': fieldsSource(model),
    'schema.ts': schemaSource(model),
    'migrations/0001_initial.sql': migrationSource(model),
    'query.ts': querySource(model),
    'data.ts': dataSource(model),
    'actions.ts': actionsSource(model),
    'api.ts': apiSource(model),
    [`${id}/page.tsx`]: listPageSource(model),
    [`${id}/new/page.tsx`]: newPageSource(model),
    [`${id}/[id]/page.tsx`]: showPageSource(model),
    [`${id}/[id]/edit/page.tsx`]: editPageSource(model),
    [`ui/${one.kebab}-form.tsx`]: formSource(model),
    [`ui/${one.kebab}-table.tsx`]: tableSource(model),
    [`tests/${id}.db.test.ts`]: behaviorTestSource(model),
    'tests/api.db.test.ts': apiTestSource(model),
    'tests/authorization.postgres.test.ts': authorizationTestSource(model),
    [`tests/${id}.spec.ts`]: browserTestSource(model),
  }
}
