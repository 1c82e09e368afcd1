import { describe, expect, test } from 'vitest'
import { findErrors } from '../../scripts/check/declarations.mjs'

const schema = 'src/app/(notes)/schema.ts'
const migrations = 'src/app/(notes)/migrations'

const notes = `import { sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'

const timestamptz = (name: string) => timestamp(name, { withTimezone: true })

export const notes = pgTable(
  'notes',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql\`gen_random_uuid()\`),
    /** Shown, first. */
    title: text('title', { enum: ['a', 'b'] }).notNull(),
    body: text(),
    ...dates,
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('notes_index').on(table.title)],
)
`

const createNotes = `-- rolling: unsafe
-- create table other (pinned boolean);
create table if not exists notes (
  id uuid primary key default gen_random_uuid(),
  title text not null default 'a, b; c',
  "body" text,
  created_at timestamptz(3) not null,
  constraint notes_title check (char_length(title) between 1 and 200),
  primary key (id, title)
);
create index notes_index on notes (title);
`

const errorsIn = (text: string, files: Record<string, string>) =>
  findErrors(
    new Map([
      [schema, text],
      ...Object.entries(files).map(
        ([name, sql]) =>
          [
            `${migrations}/${name}`,
            sql.startsWith('-- rolling') ? sql : `-- rolling: unsafe\n${sql}`,
          ] as const,
      ),
    ]),
  )

const missingColumn = (column: string, next: string) => [
  `${schema}: no migration adds the column ${column} to the table notes. Add ${migrations}/${next}_${column}.sql.`,
]

test('a schema that matches its migrations has no errors', () => {
  expect(errorsIn(notes, { '0001_initial.sql': createNotes })).toEqual([])
})

test.each([
  ['without a migrations folder', {}, '0001'],
  ['of which another table was created', { '0001_initial.sql': 'create table x (a int);' }, '0002'],
  [
    'that was dropped',
    { '0001_initial.sql': createNotes, '0002_x.sql': 'drop table notes;' },
    '0003',
  ],
])('a table %s is an error', (_, files, next) => {
  expect(errorsIn(notes, files)).toEqual([
    `${schema}: no migration creates the table notes. Add ${migrations}/${next}_notes.sql.`,
  ])
})

test('statements in the quotes of a function hide no later ones', () => {
  const inFunction = `create function drop_old() returns void language plpgsql as $$
begin
  execute format('alter table notes detach partition %I', 'old');
  execute 'drop table notes';
end
$$;`
  const files = new Map([
    [schema, notes],
    [`${migrations}/0001_initial.sql`, createNotes],
    [`${migrations}/0002_drop_old.sql`, inFunction],
  ])
  expect(findErrors(files).filter((error) => error.includes('no migration'))).toEqual([])
})

test('a migration of another owner does not count', () => {
  const files = new Map([
    [schema, notes],
    ['packages/plinth/migrations/0001_initial.sql', createNotes],
  ])
  expect(findErrors(files)).toHaveLength(1)
})

test('a table of core needs a migration of core', () => {
  const text = `export const users = pgTable('users', { id: uuid('id') })\n`
  expect(findErrors(new Map([['packages/plinth/src/db/schema.ts', text]]))).toEqual([
    'packages/plinth/src/db/schema.ts: no migration creates the table users. Add packages/plinth/migrations/0001_users.sql.',
  ])
})

describe('a column', () => {
  const withPinned = notes.replace(
    '    body: text(),\n',
    `    body: text(),\n    pinned: boolean('pinned'),\n`,
  )

  test('without a migration is an error', () => {
    expect(errorsIn(withPinned, { '0001_initial.sql': createNotes })).toEqual(
      missingColumn('pinned', '0002'),
    )
  })

  test('without a name has that of its key', () => {
    const withoutBody = createNotes.replace('  "body" text,\n', '')
    expect(errorsIn(notes, { '0001_initial.sql': withoutBody })).toEqual(
      missingColumn('body', '0002'),
    )
  })

  test.each([
    'alter table notes add column pinned boolean not null default false;',
    'alter table if exists only notes\n  add column if not exists "pinned" boolean;',
    'ALTER TABLE public.notes ADD pinned boolean;',
    `alter table notes alter title set default 'x', add column pinned boolean;`,
    'alter table notes add column starred boolean; alter table notes rename column starred to pinned;',
    'drop table notes; create table notes as select 1;',
  ])('may be added with: %s', (sql) => {
    const files = { '0001_initial.sql': createNotes, '0002_pinned.sql': sql }
    expect(errorsIn(withPinned, files)).toEqual([])
  })

  test.each([
    'alter table notes add column starred boolean;',
    'alter table other add column pinned boolean;',
    'alter table notes add column pinned boolean; alter table notes drop column pinned;',
    '-- alter table notes add column pinned boolean;',
    'alter table notes add constraint pinned check (true);',
  ])('is not added with: %s', (sql) => {
    const files = { '0001_initial.sql': createNotes, '0002_pinned.sql': sql }
    expect(errorsIn(withPinned, files)).toEqual(missingColumn('pinned', '0003'))
  })
})

describe('a migration file', () => {
  test('has a number of its own', () => {
    const files = { '0001_initial.sql': createNotes, '0002_a.sql': '', '0002_b.sql': '' }
    expect(errorsIn(notes, files)).toEqual([
      `${migrations}/0002_b.sql: 0002_a.sql has the same number. Rename the newer of the two to 0003_….sql.`,
    ])
  })

  test.each(['2_titles.sql', '0002-titles.sql', '0002_Titles.sql'])(
    'named %s is an error',
    (name) => {
      expect(errorsIn(notes, { '0001_initial.sql': createNotes, [name]: '' })).toContain(
        `${migrations}/${name}: rename it to four digits, an underscore and a name in lowercase, such as 0002_titles.sql; it is not applied otherwise.`,
      )
    },
  )
})
