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
  if (/^packages\/plinth\/src\/db\/schema(\.ts|\/.+\.ts)$/.test(path))
    return 'packages/plinth/migrations'
  const owner = /^(src\/app\/\([^)]+\))\/schema(?:\.ts|\/.+\.ts)$/.exec(path)?.[1]
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

/** It runs later, and has statements in quotes. */
const functionBody = /\bas (\$\w*\$)[\s\S]*?\1/g

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
  const statements = migrations.join(';\n').toLowerCase().replace(functionBody, 'as body')
  for (const [, verb, table, rest] of statements.matchAll(statement)) {
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

/**
 * The statements of a file, each as its tokens with one space in between, in lower case and without
 * comments. A string or a function body is '' whatever it contains.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function sqlStatements(text) {
  const statements = [[]]
  for (const token of tokensOf(text)) {
    const tokens = statements.at(-1)
    if (token !== ';' || isInsideBody(tokens)) tokens.push(token)
    else statements.push([])
  }
  return statements
    .filter((tokens) => tokens.length > 0)
    .map((tokens) =>
      tokens
        .join(' ')
        .replaceAll(' . ', '.')
        .replaceAll(/\bpublic\./g, ''),
    )
}

const pattern =
  /--[^\n]*|\/\*|(?:[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|\$([\p{L}_]\w*)?\$[\s\S]*?\$\1\$)|"(?:""|[^"])*"|[\p{L}_][\p{L}\w$]*|\d[\w.]*|\s+|[\s\S]/gu

function* tokensOf(text) {
  const scanner = new RegExp(pattern)
  for (let match = scanner.exec(text); match; match = scanner.exec(text)) {
    const [token] = match
    if (token === '/*') scanner.lastIndex = endOfComment(text, scanner.lastIndex)
    else if (/^(--|\s)/.test(token)) continue
    else if (/^([eE]?'|\$[\s\S]*\$$)/.test(token)) yield "''"
    else yield /^"[a-z_][a-z0-9_]*"$/.test(token) ? token.slice(1, -1) : lowerCase(token)
  }
}

const lowerCase = (token) => (token.startsWith('"') ? token : token.toLowerCase())

/** Block comments nest. */
function endOfComment(text, start) {
  const signs = /\/\*|\*\//g
  signs.lastIndex = start
  let depth = 1
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    depth += sign[0] === '/*' ? 1 : -1
    if (depth === 0) return signs.lastIndex
  }
  return text.length
}

/** `begin atomic … end` of a function contains statements. */
function isInsideBody(tokens) {
  const start = tokens.indexOf('atomic')
  if (start < 1 || tokens[start - 1] !== 'begin') return false
  const body = tokens.slice(start)
  const count = (word) => body.filter((token) => token === word).length
  return 1 + count('case') > count('end')
}

/**
 * @param {string} statement
 * @returns {{ table: string, actions: string[] } | undefined}
 */
export function parseAlterTable(statement) {
  const match = /^alter table (?:if exists )?(?:only )?([^ ]+) (?:\* )?(.*)$/.exec(statement)
  return match ? { table: match[1], actions: splitActions(match[2]) } : undefined
}

function splitActions(text) {
  const actions = [[]]
  let depth = 0
  for (const token of text.split(' ')) {
    if (token === ',' && depth === 0) {
      actions.push([])
      continue
    }
    if ('([{'.includes(token)) depth += 1
    if (')]}'.includes(token)) depth -= 1
    actions.at(-1).push(token)
  }
  return actions.map((tokens) => tokens.join(' '))
}

const addsConstraint = /^add (constraint|check|primary|unique|foreign|exclude)\b/

/** Why an action is not safe on a table with rows and readers, or undefined. */
export function unsafeAction(action, table, isNeverNull) {
  if (addsConstraint.test(action)) return unsafeConstraint(action)
  if (action.startsWith('add ')) return unsafeColumn(action.replace(/^add (column )?/, ''))
  if (/^(drop constraint|validate constraint|rename constraint|(re)?set \() /.test(action)) return
  if (action.startsWith('drop ')) return `"${action}": the previous version may still use it`
  if (action.startsWith('rename')) return `"${action}": the previous version uses the former name`
  const [, column, change] = /^alter (?:column )?([^ ]+) (.*)$/.exec(action) ?? []
  if (change === undefined) return `"${action}" cannot be checked`
  if (change === 'set not null') {
    return isNeverNull(table, column)
      ? undefined
      : `"set not null" reads the whole table under a lock. Before it, in migrations of their own, add "check (${column} is not null) not valid" and validate it`
  }
  if (/^(set data )?type\b/.test(change)) {
    return 'a change of the type rewrites the table, and the previous version may not expect it'
  }
  if (
    /^((set|drop) default|drop not null|set (statistics|storage|compression|\())\b/.test(change)
  ) {
    return
  }
  return /^(set|reset) \(/.test(change) ? undefined : `"${action}" cannot be checked`
}

function unsafeConstraint(action) {
  if (/ not valid$/.test(action) || /\bunique using index\b/.test(action)) return
  return `"${action.slice(0, 60)}" reads the whole table under a lock. Add "not valid", and validate the constraint in the next migration`
}

/** Functions whose value is the same for all rows, so that the table is not rewritten. */
const constantCalls = new Set([
  'now',
  'transaction_timestamp',
  'statement_timestamp',
  'current_setting',
])

function unsafeColumn(definition) {
  const [, defaultValue] = /\bdefault (.*)$/.exec(definition) ?? []
  const calls = [...(defaultValue ?? '').matchAll(/\b([a-z_]\w*) \(/g)].map(([, name]) => name)
  if (/\b(small|big)?serial\d?\b|\bgenerated (always|by)\b/.test(definition)) {
    return 'a generated or serial column rewrites the table'
  }
  if (/\b(unique|primary key)\b/.test(definition)) {
    return 'an index is built under a lock. Build it concurrently in a migration of its own'
  }
  if (/\bcheck \(/.test(definition)) {
    return 'the check reads the whole table under a lock. Add it with "add constraint … not valid"'
  }
  if (/\bnot null\b/.test(definition) && defaultValue === undefined) {
    return 'inserts of the previous version fail without the new column. Give it a default'
  }
  if (/\breferences\b/.test(definition) && defaultValue !== undefined) {
    return 'the foreign key reads the whole table under a lock. Add it with "not valid"'
  }
  if (calls.some((name) => !constantCalls.has(name))) {
    return 'the default is computed for each row, which rewrites the table. Set it in batches'
  }
  return undefined
}
