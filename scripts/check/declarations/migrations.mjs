import { posix } from 'node:path'
import { migratedTables } from './migrated-tables.mjs'
import { schemaTables } from './schema-tables.mjs'

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
