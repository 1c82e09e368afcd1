import { sqlStatements } from './migrations.mjs'
import { importsOf, resolveImport } from './sources.mjs'

const reason =
  'Modules are migrated in alphabetical order and can be removed, so a database may not have it. Store the id without a foreign key.'

/** Foreign keys of a module to a table that is neither its own nor core's. */
export function findForeignKeysToModules(sources) {
  const owners = tableOwners(sources)
  return [...sources].flatMap(([path, text]) => {
    const owner = moduleOf(path)
    if (owner === undefined) return []
    if (/\/migrations\/[^/]+\.sql$/.test(path)) return inMigration(path, text, owner, owners)
    return /\/schema(\.ts|\/.+\.ts)$/.test(path) ? inSchema(path, text, owner) : []
  })
}

function inMigration(path, text, owner, owners) {
  const tables = sqlStatements(text).flatMap((statement) =>
    [...statement.matchAll(/\breferences ([^ (]+)/g)].map(([, table]) => table),
  )
  return [...new Set(tables)].flatMap((table) => {
    const others = owners.get(table) ?? []
    if (others.includes(owner) || others.includes('core')) return []
    return others.length > 0
      ? [`${path}: do not reference ${table}, a table of the module ${others[0]}. ${reason}`]
      : [`${path}: no migration of this module or of core creates ${table}, which it references.`]
  })
}

/** Drizzle writes no foreign key into the database, but a reader would take it for one. */
function inSchema(path, text, owner) {
  return importsOf(text).flatMap(({ from, names }) => {
    const other = moduleOf(`${resolveImport(path, from) ?? ''}/`)
    if (other === undefined || other === owner) return []
    return [...(names ?? '').matchAll(/\w+/g)].flatMap(([name]) =>
      new RegExp(`\\b(references\\(\\s*\\([^)]*\\)[^=]*=>|foreignColumns: \\[)\\s*${name}\\.`).test(
        text,
      )
        ? [`${path}: do not reference ${name}, a table of the module ${other}. ${reason}`]
        : [],
    )
  })
}

/** The modules, or core, whose migrations create a table or give it its name. */
function tableOwners(sources) {
  const owners = new Map()
  for (const [path, text] of sources) {
    const owner = moduleOf(path) ?? (path.startsWith('src/core/db/') ? 'core' : undefined)
    if (owner === undefined || !/\/migrations\/[^/]+\.sql$/.test(path)) continue
    for (const statement of sqlStatements(text)) {
      const table = created.exec(statement)?.[1] ?? renamed.exec(statement)?.[1]
      if (table) owners.set(table, [...(owners.get(table) ?? []), owner])
    }
  }
  return owners
}

const created = /^create (?:unlogged )?table (?:if not exists )?([^ (]+)/
const renamed = /^alter table .* rename to ([^ ]+)$/

function moduleOf(path) {
  return /^src\/app\/\(([^)]+)\)\//.exec(path)?.[1]
}
