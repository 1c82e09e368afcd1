/**
 * How to drop what a module's migrations made: as its README says, or if that says nothing, the
 * tables that they create. Empty when it has none.
 *
 * @param {Map<string, Buffer>} files
 */
export function statementsToDrop(id, files) {
  const migrations = [...files].filter(([path]) => /\/migrations\/[^/]+\.sql$/.test(path))
  if (migrations.length === 0) return []
  const readme = files.get(`src/app/(${id})/README.md`)?.toString() ?? ''
  const told = /```sql\n(.*?)```/s.exec(readme)?.[1]
  if (told) return told.trim().split('\n')
  const created = migrations.flatMap(([, content]) => [
    ...content.toString().matchAll(/^create table (?:if not exists )?(\w+)/gim),
  ])
  return [
    ...created.reverse().map(([, table]) => `drop table ${table};`),
    `delete from plinth_migrations where owner = '${id}';`,
  ]
}
