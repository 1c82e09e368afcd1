/**
 * SQL that drops what a module has in the database: from the SQL block in its README, otherwise one
 * statement for each table, view, function and trigger that its migrations create and do not drop.
 * Empty without migrations.
 *
 * @param {Map<string, Buffer>} files
 */
export function dropStatements(id, files) {
  const migrations = [...files].filter(([path]) => /\/migrations\/[^/]+\.sql$/.test(path))
  if (migrations.length === 0) return []
  const readme = files.get(`src/app/(${id})/README.md`)?.toString() ?? ''
  const documented = /```sql\n(.*?)```/s.exec(readme)?.[1]
  if (documented) return documented.trim().split('\n')
  const text = migrations
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, content]) => content.toString())
    .join('\n')
  const statements = [...text.matchAll(creation)].map(([, ...created]) => dropOf(...created))
  return [
    // In reverse, so that no trigger of core's tables is left without what it uses.
    ...new Set(statements.reverse().filter((statement) => !text.includes(`\n${statement}`))),
    `delete from plinth_migrations where owner = '${id}';`,
  ]
}

const creation =
  /^create (?:or replace )?(?:constraint )?(table|view|function|trigger) (?:if not exists )?(\w+)([^;]*)/gim

function dropOf(kind, name, rest) {
  if (kind.toLowerCase() !== 'trigger') return `drop ${kind.toLowerCase()} ${name};`
  return `drop trigger ${name} on ${/\son (\w+)/i.exec(rest)?.[1]};`
}
