import { splitList } from './split-list.mjs'

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
export function migratedTables(migrations) {
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
