import { describe, expect, test } from 'vitest'
import { sqlStatements } from '../../scripts/check/declarations/migrations.mjs'
import { findErrors } from '../../scripts/check/declarations.mjs'

const folder = 'src/app/(notes)/migrations'

const errorsIn = (...files: string[]) =>
  findErrors(
    new Map(files.map((text, at) => [`${folder}/000${at + 1}_fixture.sql`, text] as const)),
  )

const safe = (sql: string) => `-- rolling: safe\n${sql}\n`

const createNotes = safe('create table notes (id int primary key, title text);')

describe('a safe migration may', () => {
  test.each([
    'create table t (id int); create index on t (id); alter table t alter id set not null;',
    'create table t (id int); update t set id = 1;',
    `alter table notes add column tags text[] not null default '{}', add pinned boolean;`,
    'alter table notes add column at timestamptz(3) not null default now();',
    'alter table notes add column owner_id uuid references users (id) on delete set null;',
    'alter table notes add constraint notes_title check (char_length(title) < 9) not valid;',
    'alter table notes validate constraint notes_title;',
    'alter table notes drop constraint notes_title;',
    `alter table notes alter column title set default '';`,
    'create or replace function f() returns int language sql as $$ drop table notes; $$;',
    `create function g() returns int language sql begin atomic select case when true then 1 end; select 2; end;
     insert into notes (id) values (1);`,
    `insert into notes (title) values ('drop table notes; truncate users');`,
    "-- drop table notes;\n/* truncate notes; /* lock table notes; */ */ comment on table notes is 'x';",
  ])('contain: %s', (sql) => {
    expect(errorsIn(createNotes, safe(sql))).toEqual([])
  })

  test('set a column to not null after a validated check', () => {
    expect(
      errorsIn(
        createNotes,
        safe('alter table notes add constraint title_set check (title is not null) not valid;'),
        safe('alter table notes validate constraint title_set;'),
        safe('alter table notes alter column title set not null;'),
        safe('alter table notes drop constraint title_set;'),
      ),
    ).toEqual([])
  })
})

describe('a migration is not safe with', () => {
  test.each([
    ['drop table notes;', 'may still use what it drops'],
    ['DROP  TABLE "notes";', 'may still use what it drops'],
    ['drop view titles;', 'may still use what it drops'],
    ['drop trigger t on notes;', 'may still use what it drops'],
    ['drop index notes_title_index;', 'may still use what it drops'],
    ['alter table notes drop column title;', 'may still use it'],
    ['alter table only public.notes drop title cascade;', 'may still use it'],
    ['alter table notes rename to memos;', 'former name'],
    ['alter table notes rename column title to name;', 'former name'],
    ["alter type status rename value 'a' to 'b';", 'former name'],
    ['alter table notes alter column title type varchar(10);', 'type rewrites the table'],
    ['alter table notes alter title set data type int using 1;', 'type rewrites the table'],
    ['alter table notes alter column title set not null;', '"set not null" reads'],
    ['alter table notes add column a int not null;', 'Give it a default'],
    ['alter table notes add column if not exists a int not null;', 'Give it a default'],
    ['alter table notes add column a uuid default gen_random_uuid();', 'rewrites the table'],
    ['alter table notes add column a bigserial;', 'rewrites the table'],
    ['alter table notes add a text generated always as (title) stored;', 'rewrites the table'],
    ['alter table notes add column a int unique;', 'index is built under a lock'],
    ['alter table notes add column a int check (a > 0);', 'check reads the whole table'],
    ['alter table notes add constraint c check (id > 0);', 'Add "not valid"'],
    ['alter table notes add foreign key (id) references users (id);', 'Add "not valid"'],
    ['alter table notes add constraint u unique (title);', 'Add "not valid"'],
    [
      'alter table notes drop constraint c, add constraint c check (id > 1) not valid;',
      'a constraint of notes is replaced',
    ],
    [
      'alter table notes add constraint c check (id > 0) not valid; alter table notes validate constraint c;',
      'in a migration of its own',
    ],
    [
      'alter table notes add slug text, add constraint c check (slug is not null) not valid;',
      'updates of existing rows fail while slug is null',
    ],
    ['create index notes_title_index on notes (title);', 'create index blocks writes'],
    ['create unique index on only notes using btree (title);', 'create index blocks writes'],
    ['truncate notes;', 'it removes rows'],
    ['lock table notes in share mode;', 'requests wait'],
    ['update notes set title = id::text;', '-- transaction: batch'],
    ['delete from notes where id = 1;', '-- transaction: batch'],
    ['alter table notes disable trigger all;', 'cannot be checked'],
    [`do $$ begin execute 'drop table notes'; end $$;`, 'cannot be checked'],
    ['select drop_everything();', 'cannot be checked'],
  ])('%s', (sql, reason) => {
    const errors = errorsIn(createNotes, safe(sql))
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(`${folder}/0002_fixture.sql: it is not safe: `)
    expect(errors[0]).toContain(reason)
    expect(errorsIn(createNotes, `-- rolling: unsafe\n${sql}\n`)).toEqual([])
  })

  test('a column that is set to not null after a check that was not validated, or dropped', () => {
    const add = safe('alter table notes add constraint c check (title is not null) not valid;')
    const set = safe('alter table notes alter column title set not null;')
    expect(errorsIn(createNotes, add, set)).toHaveLength(1)
    const validate = safe('alter table notes validate constraint c;')
    const drop = safe('alter table notes drop constraint c;')
    expect(errorsIn(createNotes, add, validate, drop, set)).toHaveLength(1)
  })
})

describe('the first lines of a migration', () => {
  test.each([
    ['create table t (id int);', 'start it with "-- rolling: safe"'],
    ['-- rolling: safe\n-- rolling: unsafe\nselect 1;', 'start it with "-- rolling: safe"'],
    ['-- A reason.\n-- rolling: safe\nselect 1;', 'write the directives as its first lines'],
    ['-- rolling: probably\nselect 1;', 'write the directives as its first lines'],
    ['-- rolling: safe\n-- transaction: off\nselect 1;', 'write the directives as its first lines'],
    ['-- rolling: safe\nbegin; create table t (id int); commit;', 'remove begin and commit'],
    [
      '-- rolling: safe\ncreate index concurrently if not exists i on notes (id);',
      'Add "-- transaction: none"',
    ],
    [
      '-- rolling: safe\n-- transaction: none\ncreate index concurrently i on notes (id);',
      'can be repeated',
    ],
    ['-- rolling: unsafe\n-- transaction: none\ndelete from notes;', 'can be repeated'],
    ['-- rolling: unsafe\n-- transaction: none\nvacuum notes; vacuum users;', 'exactly one'],
    ['-- rolling: safe\n-- transaction: batch\n-- Nothing yet.', 'exactly one'],
    ['-- rolling: safe\n-- transaction: batch\nupdate notes set id = 1;', 'limit the rows'],
    [
      '-- rolling: safe\n-- transaction: batch\ndelete from notes where id in (select id from notes limit 9);',
      'limit the rows',
    ],
    [
      '-- rolling: safe\n-- transaction: batch\ndelete from notes where id in (select id from notes limit $1 for update skip locked);',
      'remove "skip locked"',
    ],
    ['-- rolling: safe\n-- transaction: batch\ntruncate notes;', 'write one update'],
  ])('%j are an error', (text, reason) => {
    const errors = errorsIn(text)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(reason)
  })

  test.each([
    'none\ncreate unique index concurrently if not exists i on notes (id);',
    'none\ndrop index concurrently if exists i;',
    `none\nalter type status add value if not exists 'x';`,
    'batch\nupdate notes set title = 1 where id in (select id from notes where title is null limit $1);',
    'batch\nwith old as (select id from notes limit $1) delete from notes using old where old.id = notes.id;',
  ])('may declare transaction: %s', (text) => {
    expect(errorsIn(`-- rolling: safe\n-- transaction: ${text}\n`)).toEqual([])
  })
})

test('statements are split outside of strings, comments and function bodies', () => {
  expect(
    sqlStatements(
      `select ';', e'\\';', $a$;$$;$a$, "a;""b", U&'x'; -- ;\n/* ; /* ; */ ; */ SELECT $1::int;;`,
    ),
  ).toEqual([`select '' , '' , '' , "a;""b" , u & ''`, 'select $ 1 : : int'])
})
