export function moduleSource({ id, many, path, policies }) {
  return `import type { Module } from 'plinth/modules/module'
import { api } from './api'
import { export${many.pascal} } from './data'
import { ${policies.read} } from './policy'

export const module: Module = {
  id: '${id}',
  navigation: [{ href: '${path}', label: '${many.title}', authorize: ${policies.read} }],
  personalData: export${many.pascal},
  api,
}
`
}

export function packageSource(model) {
  const manifest = {
    name: `plinth-${model.id}`,
    version: '0.1.0',
    description: summaryOf(model),
    license: 'MIT',
    private: true,
    type: 'module',
    dependencies: {},
    devDependencies: {},
    plinth: { id: model.id, requires: [], settings: {} },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function summaryOf({ many, shared }) {
  return shared
    ? `${many.title}: viewers read them, editors write them, admins delete them.`
    : `${many.title}: every user keeps their own, admins see all.`
}

export function readmeSource(model) {
  const { id, many, one, path, table, shared, users } = model
  const rules = shared
    ? 'Viewers read them, editors also create and edit them, and admins also delete them.'
    : 'Every signed-in user keeps their own. Admins can read those of all users, but not change them.'
  const reference =
    users.length > 0
      ? `
A user is entered as an email. A signed-in user can therefore find out whether an email has an
account.
`
      : ''
  return `# ${id}

${many.title} at \`${path}\` and \`/api${path}\`. ${rules} Edits use optimistic locking: if the ${one.text} was
changed since the form was opened, the form says so and nothing is lost.
${reference}
| file | contents |
| --- | --- |
| \`fields.ts\` | the input of the form and the API |
| \`policy.ts\` | who may do what |
| \`schema.ts\`, \`migrations/\` | the table |
| \`data.ts\`, \`query.ts\` | reads |
| \`actions.ts\` | mutations |
| \`api.ts\` | the HTTP API |

The module has no settings. To remove it: \`npx plinth remove ${id}\`. The table stays; to drop it as
well:

\`\`\`sql
drop table ${table};
delete from plinth_migrations where owner = '${id}';
\`\`\`
`
}
