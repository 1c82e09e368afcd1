import { expect, test } from 'vitest'
import { findErrors } from '../../scripts/check/declarations.mjs'

const errorsIn = (files: Record<string, string>) => findErrors(new Map(Object.entries(files)))

const rolling = '-- rolling: unsafe\n'
const projects = 'src/app/(projects)/migrations/0001_initial.sql'
const tasks = 'src/app/(tasks)/migrations/0001_initial.sql'
const reason =
  'Modules are migrated in alphabetical order and can be removed, so a database may not have it. Store the id without a foreign key.'

const base = {
  'packages/plinth/migrations/0001_initial.sql': `${rolling}create table users (id uuid primary key);`,
  [projects]: `${rolling}create table projects (id uuid primary key);`,
}

test.each([
  ["core's table", 'user_id uuid references users (id) on delete cascade'],
  ['a table of the module', 'parent_id uuid references tasks (id)'],
  ['a table in quotes', 'user_id uuid references public."users" (id)'],
  ['a comment', 'project_id uuid -- references projects (id)'],
])('a migration may refer to %s', (_, column) => {
  const sql = `${rolling}create table tasks (id uuid primary key, ${column}\n);`
  expect(errorsIn({ ...base, [tasks]: sql })).toEqual([])
})

test.each([
  ['a column', 'create table tasks (project_id uuid not null references projects (id));'],
  ['a column in quotes', 'create table tasks (project_id uuid REFERENCES public."projects");'],
  [
    'a constraint',
    'alter table tasks add constraint of_project foreign key (project_id)\n references projects (id) not valid;',
  ],
])('%s of a migration may not refer to a table of another module', (_, sql) => {
  expect(errorsIn({ ...base, [tasks]: `${rolling}${sql}` })).toEqual([
    `${tasks}: do not reference projects, a table of the module projects. ${reason}`,
  ])
})

test.each(['references(() => projects.id)', 'references((): AnyPgColumn => projects.id)'])(
  'a schema may not refer to a table of another module: %s',
  (reference) => {
    const schema = `import { projects } from '../(projects)/schema'
export const tasks = pgTable('tasks', { projectId: uuid('project_id').${reference} })
`
    const sql = `${rolling}create table tasks (project_id uuid);`
    expect(errorsIn({ ...base, [tasks]: sql, 'src/app/(tasks)/schema.ts': schema })).toContain(
      `src/app/(tasks)/schema.ts: do not reference projects, a table of the module projects. ${reason}`,
    )
  },
)

test("a schema may refer to core's tables", () => {
  const schema = `import { users } from '#db/schema'
export const tasks = pgTable('tasks', { userId: uuid('user_id').references(() => users.id) })
`
  const sql = `${rolling}create table tasks (user_id uuid references users (id));`
  expect(errorsIn({ ...base, [tasks]: sql, 'src/app/(tasks)/schema.ts': schema })).toEqual([])
})
