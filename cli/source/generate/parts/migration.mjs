export function migrationSource(table, text) {
  return `-- ${text[0].toUpperCase()}${text.slice(1)}. For example:
-- alter table ${table} add column tags text[] not null default '{}';
-- create index ${table}_tags_index on ${table} using gin (tags);
`
}
