import { sqlStatements } from './migrations.mjs'
import { importsOf, resolveImport } from './sources.mjs'

export function findImportsOfModules(sources) {
  return [...sources].flatMap(([path, text]) => {
    const owner = moduleOf(path)
    if (owner === undefined) return []
    const targets = importsOf(text).flatMap(({ from }) => resolveImport(path, from) ?? [])
    return [...new Set(targets)]
      .filter((target) => ![undefined, owner].includes(moduleOf(`${target}/`)))
      .map(
        (target) =>
          `${path}: do not import ${target} of another module; move what both need to packages/plinth/src.`,
      )
  })
}

const declaration = /^export const (\w+)(?:: [^=\n]+)? =\s*(action|mutation|mail|job|route)[(<]/

/** The name by which other files know an action, a mail, a job or a route. */
const keys = { action: 'name', mutation: 'name', mail: 'purpose', job: 'name' }

/**
 * Two declarations of one name: in a module, the manifest cannot import both, and a page may import the
 * wrong one; in the app, the audit log, the undo button and the queues do not tell them apart.
 */
export function findRepeatedNames(sources) {
  const declared = [...sources].flatMap(([path, text]) => declarationsIn(path, text))
  return [
    ...repeated(declared, ({ path, exported }) => `${moduleOf(path) ?? path} ${exported}`).map(
      ([{ path, exported }, first]) =>
        `${path}: choose another name than ${exported}, which ${first.path} exports.`,
    ),
    ...repeated(
      declared.filter(({ name }) => name !== undefined),
      ({ queue, name }) => `${queue} ${name}`,
    ).map(
      ([{ path, name, exported }, first]) =>
        `${path}: choose another name than '${name}' for ${exported}, which is that of ${first.exported} in ${first.path}.`,
    ),
  ]
}

function declarationsIn(path, text) {
  return text.split(/^(?=export |const |function |async function )/m).flatMap((body) => {
    const [, exported, kind] = declaration.exec(body) ?? []
    if (exported === undefined) return []
    const name = new RegExp(`\\b${keys[kind]}: '([^']*)'`).exec(body)?.[1]
    // Actions and mutations share their names.
    return [{ path, exported, name, queue: kind === 'mutation' ? 'action' : kind }]
  })
}

/** Pairs each declaration that repeats a key with the first one that has it. */
function repeated(declared, keyOf) {
  const first = new Map()
  return declared.flatMap((declaration) => {
    const key = keyOf(declaration)
    if (!first.has(key)) first.set(key, declaration)
    const other = first.get(key)
    return other === declaration ? [] : [[declaration, other]]
  })
}

const reason =
  'Modules are migrated in alphabetical order and can be removed, so a database may not have it. Store the id without a foreign key.'

/** Foreign keys of a module to a table that is neither its own nor the engine's. */
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
    const [other, ...others] = owners.get(table) ?? []
    if (other === undefined || [owner, 'core'].some((own) => [other, ...others].includes(own))) {
      return []
    }
    return [`${path}: do not reference ${table}, a table of the module ${other}. ${reason}`]
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
    const owner =
      moduleOf(path) ?? (path.startsWith('packages/plinth/migrations/') ? 'core' : undefined)
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

/** The id of the module that a file belongs to. */
function moduleOf(path) {
  return /^src\/app\/\(([^)]+)\)\//.exec(path)?.[1]
}
