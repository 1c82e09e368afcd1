import { columnOf, sqlName } from '../field-types.mjs'
import { importLine } from '../model.mjs'

export function schemaSource({ many, table, fields, creator, creatorId, shared }) {
  const kinds = fields.flatMap(({ imports }) => imports.column ?? [])
  const enums = fields.flatMap(({ valuesName }) => valuesName ?? [])
  const columns = fields.map((field) => {
    const required = field.optional || field.type === 'user' ? '' : '.notNull()'
    return `  ${field.stored}: ${field.column(columnOf(named(field)), field)}${required},`
  })
  return `import { sql } from 'drizzle-orm'
${importLine(['integer', 'pgTable', 'timestamp', 'uuid', ...kinds], 'drizzle-orm/pg-core')}${importLine(enums, './fields')}
const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** For queries only; the table is created in migrations/. */
export const ${many.camel} = pgTable('${table}', {
  id: uuid('id').primaryKey().default(sql\`gen_random_uuid()\`),
${columns.join('\n')}
  ${creatorId}: uuid('${creator}_id')${shared ? '' : '.notNull()'},
  version: integer('version').notNull().default(1),
  createdAt: timestamptz('created_at').notNull().default(sql\`now()\`),
  updatedAt: timestamptz('updated_at').notNull().default(sql\`now()\`),
})
`
}

/** The spelling of the column is kept apart from the function that declares it. */
const named = ({ type, columnName }) => ({ type, column: columnName })

export function migrationSource(model) {
  const { table, many, fields, creator, shared, title, sorts } = model
  const columns = fields.map((field) => {
    const name = sqlName(columnOf(named(field)))
    const required = field.optional || field.type === 'user' ? '' : ' not null'
    return `  ${name} ${field.sql}${required}`
  })
  const known = fields
    .filter(({ type }) => type === 'enum')
    .map(({ columnName, values }) => {
      const list = values.map((value) => `'${value}'`).join(', ')
      return `  constraint ${table}_${columnName}_known check (${sqlName(columnName)} in (${list}))`
    })
  const lengths = fields
    .filter(({ maxLength }) => maxLength)
    .map(({ columnName, maxLength }) => {
      const length = `char_length(${sqlName(columnName)})`
      return `  constraint ${table}_${columnName}_length check (${length} between 1 and ${maxLength})`
    })
  const creatorColumn = shared
    ? `${creator}_id uuid references users (id) on delete set null`
    : `${creator}_id uuid not null references users (id) on delete cascade`
  const rows = [
    '  id uuid primary key default gen_random_uuid()',
    ...columns,
    `  ${creatorColumn}`,
    '  version integer not null default 1',
    '  created_at timestamptz(3) not null default now()',
    '  updated_at timestamptz(3) not null default now()',
    ...known,
    ...lengths,
  ]
  const references = fields.filter(({ type }) => type === 'user')
  const indexes = [
    [`${creator}_id`, `${creator}_id, created_at, id`],
    ['created_at', 'created_at, id'],
    ...(sorts.length > 2 ? [[title.columnName, `${sqlName(title.columnName)}, id`]] : []),
    ...references.map((field) => [columnOf(named(field)), columnOf(named(field))]),
  ]
  const created = indexes.map(
    ([name, list]) => `create index ${table}_${name}_index on ${table} (${list});`,
  )
  return `-- rolling: safe
-- ${shared ? `${many.title} that all users share.` : `Each user has their own ${many.text}; they are deleted with the account.`}
create table ${table} (
${rows.join(',\n')}
);
${created.join('\n')}
`
}
