import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#db/client'

/** Tables as a module could have them: every way to refer to a user, and types that are easily lost. */
const statements = [
  `create type fixture_state as enum ('open', 'done')`,
  `create table fixture_projects (
    id bigint generated always as identity primary key,
    owner_id uuid not null references users (id) on delete cascade,
    "Name, quoted" text not null,
    slug text generated always as (lower("Name, quoted")) stored,
    state fixture_state not null default 'open',
    tags text[],
    matrix integer[][],
    secret bytea,
    notes json,
    settings jsonb,
    price numeric,
    ratio double precision,
    at timestamptz,
    local_time timestamp,
    span interval,
    period tstzrange,
    unique (owner_id, "Name, quoted")
  )`,
  `create table fixture_tasks (
    project_id bigint not null references fixture_projects (id) on delete cascade,
    number integer not null,
    parent integer,
    title text not null,
    assignee_id uuid references users (id) on delete set null,
    primary key (project_id, number),
    foreign key (project_id, parent) references fixture_tasks (project_id, number) on delete cascade
  )`,
  // A cycle of tables.
  `alter table fixture_projects add column current_task integer,
    add constraint fixture_projects_current foreign key (id, current_task)
    references fixture_tasks (project_id, number) on delete set null (current_task)`,
  `create table fixture_comments (
    id uuid primary key default gen_random_uuid(),
    project_id bigint not null,
    task integer not null,
    author_id uuid references users (id) on delete cascade,
    reply_to uuid references fixture_comments (id) on delete set null,
    text text not null,
    foreign key (project_id, task) references fixture_tasks (project_id, number) on delete cascade
  )`,
  `create table fixture_pages (
    id integer primary key,
    editor_id uuid references users (id) on delete set null,
    front_for uuid unique references users (id) on delete set null,
    pinned_comment uuid references fixture_comments (id) on delete set null
  )`,
]

export async function createFixtures(database: Database): Promise<void> {
  for (const statement of statements) await database.execute(sql.raw(statement))
}

/** Each row as text, by table. What a row contains is in it, also generated columns. */
export async function rowsOfTables(database: Database, names: readonly string[]) {
  const tables: Record<string, string[]> = {}
  for (const name of names) {
    const rows = rowsOf<{ text: string }>(
      await database.execute(
        sql`select rows::text as text from ${sql.identifier(name)} as rows order by 1`,
      ),
    )
    tables[name] = rows.map(({ text }) => text)
  }
  return tables
}
