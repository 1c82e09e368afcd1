/**
 * SQL that drops the tables of a module: from the SQL block in its README, otherwise one statement
 * for each table that its migrations create. Empty without migrations.
 *
 * @param {Map<string, Buffer>} files
 */
export function dropStatements(id, files) {
  const migrations = [...files].filter(([path]) => /\/migrations\/[^/]+\.sql$/.test(path))
  if (migrations.length === 0) return []
  const readme = files.get(`src/app/(${id})/README.md`)?.toString() ?? ''
  const documented = /```sql\n(.*?)```/s.exec(readme)?.[1]
  if (documented) return documented.trim().split('\n')
  const created = migrations.flatMap(([, content]) => [
    ...content.toString().matchAll(/^create table (?:if not exists )?(\w+)/gim),
  ])
  return [
    ...created.reverse().map(([, table]) => `drop table ${table};`),
    `delete from plinth_migrations where owner = '${id}';`,
  ]
}
