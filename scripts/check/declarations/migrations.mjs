import { posix } from 'node:path'
import { splitList } from './sources.mjs'

/** Tables and columns that the queries use and no migration of the same owner creates. */
export function findMissingMigrations(sources) {
  return [...sources].flatMap(([path, text]) => {
    const folder = migrationsFolderOf(path)
    if (folder === undefined) return []
    const files = migrationsIn(sources, folder)
    const next = `${folder}/${nextNumber(files)}`
    const migrated = migratedTables(files.map((file) => sources.get(file)))
    return schemaTables(text).flatMap(({ table, columns }) => {
      if (!migrated.has(table)) {
        return [`${path}: no migration creates the table ${table}. Add ${next}_${table}.sql.`]
      }
      const existing = migrated.get(table)
      return columns
        .filter((column) => existing && !existing.has(column))
        .map(
          (column) =>
            `${path}: no migration adds the column ${column} to the table ${table}. Add ${next}_${column}.sql.`,
        )
    })
  })
}

export function findMisnamedMigrations(sources) {
  const files = [...sources.keys()].filter((path) => /\/migrations\/[^/]+\.sql$/.test(path))
  return files.flatMap((path) => {
    const name = posix.basename(path)
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) {
      return [
        `${path}: rename it to four digits, an underscore and a name in lowercase, such as 0002_titles.sql; it is not applied otherwise.`,
      ]
    }
    const siblings = migrationsIn(sources, posix.dirname(path))
    const other = siblings.find((file) => posix.basename(file).startsWith(name.slice(0, 5)))
    if (other === path) return []
    return [
      `${path}: ${posix.basename(other)} has the same number. Rename the newer of the two to ${nextNumber(siblings)}_….sql.`,
    ]
  })
}

/** The migrations of a schema.ts or schema/…, or undefined for other files. */
function migrationsFolderOf(path) {
  const owner = /^(src\/core\/db|src\/app\/\([^)]+\))\/schema(?:\.ts|\/.+\.ts)$/.exec(path)?.[1]
  return owner === undefined ? undefined : `${owner}/migrations`
}

function migrationsIn(sources, folder) {
  return [...sources.keys()].filter(
    (path) => posix.dirname(path) === folder && /\/\d{4}_[^/]+\.sql$/.test(path),
  )
}

function nextNumber(files) {
  const last = Math.max(0, ...files.map((file) => Number(posix.basename(file).slice(0, 4))))
  return String(last + 1).padStart(4, '0')
}

/** The tables of a schema.ts with the names of their columns, in lower case. */
function schemaTables(text) {
  return [...text.matchAll(/\bpgTable\(\s*'([^']+)'/g)].map((match) => {
    const rest = text.slice(match.index + match[0].length)
    const object = /^,\s*(?:\(?[^()]*\)?\s*=>\s*\(\s*)?\{/.exec(rest)
    const items = object ? splitList(rest, object[0].length - 1) : []
    return {
      table: match[1].toLowerCase(),
      columns: items.flatMap((item) => columnName(item, text)).map((name) => name.toLowerCase()),
    }
  })
}

/** A column without a name has that of its key. A function of the file may name it itself. */
function columnName(item, text) {
  const [, key, type, name] = /^['"]?([\w$]+)['"]?:\s*([\w.]+)\(\s*(?:'([^']+)')?/.exec(item) ?? []
  if (name !== undefined) return [name]
  return type !== undefined && isColumnType(type, text) ? [key] : []
}

function isColumnType(type, text) {
  const imported = /^import \{([^}]*)\} from 'drizzle-orm\/pg-core'/m.exec(text)?.[1] ?? ''
  return imported.split(',').some((name) => name.trim() === type)
}

const statement =
  /\b(create(?: unlogged)? table|alter table|drop table)\s+(?:if (?:not )?exists\s+|only\s+)*(?:public\.)?"?(\w+)"?((?:'[^']*'|[^;'])*)/g

const notColumns = /^(constraint|primary|unique|check|foreign|exclude|like)\b/

/**
 * The tables after these migrations, each with its columns, in lower case. `undefined` instead of
 * the columns means that they are not listed in the SQL.
 *
 * @param {string[]} migrations SQL without comments, in order
 * @returns {Map<string, Set<string> | undefined>}
 */
function migratedTables(migrations) {
  const tables = new Map()
  for (const [, verb, table, rest] of migrations.join(';\n').toLowerCase().matchAll(statement)) {
    if (verb.startsWith('create')) tables.set(table, createdColumns(rest))
    else if (verb === 'drop table') tables.delete(table)
    else alter(tables, table, rest)
  }
  return tables
}

function createdColumns(rest) {
  if (!/^\s*\(/.test(rest)) return undefined
  const items = splitList(rest, rest.indexOf('('))
  if (items.some((item) => item.startsWith('like ')) || /\)\s*inherits\b/.test(rest)) {
    return undefined
  }
  return new Set(items.filter((item) => !notColumns.test(item)).map(firstName))
}

function alter(tables, table, rest) {
  const columns = tables.get(table)
  const renamed = /^\s*rename to "?(\w+)/.exec(rest)?.[1]
  if (renamed) {
    tables.set(renamed, columns)
    tables.delete(table)
  }
  if (!columns) return
  for (const action of splitList(`(${rest})`, 0)) {
    const added = /^add (?:column )?(?:if not exists )?(.*)/s.exec(action)?.[1]
    if (added && !notColumns.test(added)) columns.add(firstName(added))
    const [, from, to] = /^rename (?:column )?"?(\w+)"? to "?(\w+)/.exec(action) ?? []
    if (to) columns.delete(from) && columns.add(to)
    const dropped = /^drop (?:column )?(?:if exists )?"?(\w+)/.exec(action)?.[1]
    if (dropped) columns.delete(dropped)
  }
}

function firstName(item) {
  return /^"?(\w+)/.exec(item)?.[1]
}
