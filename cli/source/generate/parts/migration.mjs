export function migrationSource(table, text) {
  return `-- rolling: safe
-- ${text[0].toUpperCase()}${text.slice(1)}. For example:
-- alter table ${table} add column tags text[] not null default '{}';
`
}
