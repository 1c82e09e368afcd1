import { posix } from 'node:path'
import { parseAlterTable, sqlStatements, unsafeAction } from './migrations.mjs'

/** Migrations without directives, and those that claim to be safe for rolling deploys and are not. */
export function findFalseRollingClaims(_sources, files) {
  const migrations = [...files].filter(([path]) => /\/migrations\/\d{4}_[^/]+\.sql$/.test(path))
  return migrations.flatMap(([path, text]) => {
    const errors = directiveErrors(text)
    if (errors.length > 0) return [...new Set(errors)].map((error) => `${path}: ${error}`)
    const { rolling, transaction, rest } = readDirectives(text)
    if (rolling[0] === 'unsafe') return []
    const earlier = migrations
      .filter(([other]) => posix.dirname(other) === posix.dirname(path) && other < path)
      .flatMap(([, other]) => sqlStatements(other))
    const context = { isBatch: transaction[0] === 'batch', earlier }
    return unsafeReasons(sqlStatements(rest), context).map(
      (reason) => `${path}: it is not safe: ${reason}; or start it with "-- rolling: unsafe".`,
    )
  })
}

const directive = /^-- (?:rolling: (safe|unsafe)|transaction: (none|batch))[ \t]*\n/

/**
 * As `packages/plinth/src/db/migrate/plan.ts` reads them.
 *
 * @param {string} text
 */
function readDirectives(text) {
  const rolling = []
  const transaction = []
  let rest = text
  for (let line = directive.exec(rest); line; line = directive.exec(rest)) {
    if (line[1]) rolling.push(line[1])
    if (line[2]) transaction.push(line[2])
    rest = rest.slice(line[0].length)
  }
  return { rolling, transaction, rest }
}

/** The mistakes in the first lines of a migration, or in statements that do not fit them. */
function directiveErrors(text) {
  const { rolling, transaction, rest } = readDirectives(text)
  if (/^[ \t]*--[ \t]*(rolling|transaction)[ \t]*:/im.test(rest)) {
    return [
      'write the directives as its first lines: "-- rolling: safe" or "-- rolling: unsafe", then "-- transaction: none" or "-- transaction: batch" if it has one.',
    ]
  }
  if (rolling.length !== 1) {
    return [
      'start it with "-- rolling: safe" if processes of the previous version work while it is applied and afterwards, otherwise with "-- rolling: unsafe".',
    ]
  }
  if (transaction.length > 1) return ['keep one of its lines "-- transaction: …".']
  return statementErrors(transaction[0], sqlStatements(rest))
}

const repeatable = [
  /^create (unique )?index concurrently if not exists [^ ]+ on /,
  /^drop index concurrently if exists /,
  /^alter type [^ ]+ add value if not exists /,
  /^reindex (\( .* \) )?(index|table) concurrently /,
  /^(vacuum|analyze)(?!.* full\b)/,
]

function statementErrors(transaction, statements) {
  if (transaction === undefined) return statements.flatMap(outsideOfTransaction)
  const [statement, ...others] = statements
  if (statement === undefined || others.length > 0) {
    return [`write exactly one statement with "-- transaction: ${transaction}".`]
  }
  return transaction === 'none' ? aloneErrors(statement) : batchErrors(statement)
}

function outsideOfTransaction(statement) {
  if (/^(begin|start transaction|commit|end|rollback|savepoint)\b/.test(statement)) {
    return ['remove begin and commit: each migration has its own transaction.']
  }
  if (/^((create|drop|reindex).*\bconcurrently\b|vacuum\b)/.test(statement)) {
    return ['this statement cannot run in a transaction. Add "-- transaction: none".']
  }
  return []
}

function aloneErrors(statement) {
  if (repeatable.some((pattern) => pattern.test(statement))) return []
  return [
    'with "-- transaction: none" only a statement that can be repeated after an interruption is accepted: create index concurrently if not exists, drop index concurrently if exists, alter type … add value if not exists, reindex concurrently, vacuum or analyze.',
  ]
}

function batchErrors(statement) {
  if (!/^(update|delete|insert|with)\b/.test(statement)) {
    return ['with "-- transaction: batch" write one update, delete or insert.']
  }
  if (!/\blimit \$ 1\b/.test(statement)) {
    return [
      'limit the rows of a batch with "limit $1", for example "where id in (select … limit $1)".',
    ]
  }
  if (/\bskip locked\b/.test(statement)) {
    return ['remove "skip locked": the last rows may be locked, and the migration would miss them.']
  }
  return []
}

/**
 * Why statements are not safe while processes of the previous version run. Only what is known to be
 * safe is accepted.
 *
 * @param {string[]} statements of one migration
 * @param {{ isBatch: boolean, earlier: string[] }} context the statements of earlier migrations
 * @returns {string[]}
 */
function unsafeReasons(statements, { isBatch, earlier }) {
  const created = new Set(statements.flatMap((statement) => createdTable(statement) ?? []))
  const neverNull = findNeverNull(earlier)
  const isNeverNull = (table, column) => neverNull.has(`${table}.${column}`)
  const reasons = statements.flatMap((statement) => {
    const altered = parseAlterTable(statement)
    if (altered) {
      if (created.has(altered.table)) return []
      return altered.actions.flatMap(
        (action) => unsafeAction(action, altered.table, isNeverNull) ?? [],
      )
    }
    return unsafeStatement(statement, created, isBatch) ?? []
  })
  return [...reasons, ...combinationReasons(statements, created)]
}

function createdTable(statement) {
  return /^create (?:(?:global|local|temporary|temp|unlogged) )*table (?:if not exists )?([^ ]+)/.exec(
    statement,
  )?.[1]
}

const safe =
  /^(create (or replace )?((constraint )?trigger|function|procedure|aggregate|view|materialized view|type|domain|sequence|extension|schema|statistics)|create (unique )?index concurrently|drop index concurrently|alter type [^ ]+ add value|alter index [^ ]+ rename|reindex (\( .* \) )?(index|table) concurrently|insert into|comment on|grant|analyze|vacuum(?! full| \())\b/

const reasons = [
  [/^drop\b/, 'the previous version may still use what it drops'],
  [/^alter [a-z ]+ [^ ]+ rename\b/, 'the previous version uses the former name'],
  [/^truncate\b/, 'it removes rows that the previous version uses, under a lock'],
  [/^lock\b/, 'requests wait until the migration ends'],
  [/^(cluster|reindex|vacuum|refresh)\b/, 'requests wait for its lock until it has finished'],
]

function unsafeStatement(statement, created, isBatch) {
  if (createdTable(statement) !== undefined || safe.test(statement)) return undefined
  const changed = /^(?:update|delete from|merge into) (?:only )?([^ ]+)/.exec(statement)?.[1]
  if (isBatch || created.has(changed)) return undefined
  if (changed) {
    return `"${first(statement)}" locks the rows that it changes until it ends. Use "-- transaction: batch" in a migration of its own`
  }
  const indexed = /^create (?:unique )?index .*?\bon (?:only )?([^ ]+)/.exec(statement)?.[1]
  if (created.has(indexed)) return undefined
  if (indexed) {
    return 'create index blocks writes. Use "create index concurrently if not exists" and "-- transaction: none" in a migration of its own'
  }
  const [, reason] = reasons.find(([pattern]) => pattern.test(statement)) ?? []
  return reason ? `"${first(statement)}": ${reason}` : `"${first(statement)}" cannot be checked`
}

const first = (statement) => statement.split(' ').slice(0, 4).join(' ')

/** Statements that are safe alone and not together. */
function combinationReasons(statements, created) {
  const altered = statements
    .map((statement) => parseAlterTable(statement))
    .filter((alter) => alter && !created.has(alter.table))
  const actions = altered.flatMap((alter) => alter.actions)
  const validates = actions.some((action) => action.startsWith('validate constraint'))
  if (validates && (statements.length > 1 || actions.length > 1)) {
    return [
      'validate a constraint in a migration of its own: other statements would hold their locks',
    ]
  }
  const early = actions
    .flatMap((action) => /\bcheck \( ([^ ]+) is not null \)/.exec(action)?.[1] ?? [])
    .find((column) => actions.some((action) => isAddedEmpty(action, column)))
  if (early) {
    return [
      `updates of existing rows fail while ${early} is null. Add the check after a migration that fills it in batches`,
    ]
  }
  const replaced = altered.find(({ table }) => {
    const all = altered.filter((other) => other.table === table).flatMap((other) => other.actions)
    const drops = all.some((action) => action.startsWith('drop constraint'))
    return drops && all.some((action) => /^add (constraint|check|unique)\b/.test(action))
  })
  if (!replaced) return []
  return [
    `a constraint of ${replaced.table} is replaced, maybe by a stricter one. Add the new one under another name, validate it, and drop the old one, in three migrations`,
  ]
}

function isAddedEmpty(action, column) {
  const [, added, definition] =
    /^add (?:column )?(?:if not exists )?([^ ]+) (.*)$/.exec(action) ?? []
  return added === column && !/\bdefault\b/.test(definition)
}

/** The columns, as `table.column`, for which a validated check excludes null. */
function findNeverNull(statements) {
  const checked = new Map()
  const proven = new Map()
  for (const { table, actions } of statements.flatMap((text) => parseAlterTable(text) ?? [])) {
    for (const action of actions) {
      const [, name, column] =
        /^add constraint ([^ ]+) check \( ([^ ]+) is not null \) not valid$/.exec(action) ?? []
      if (name) checked.set(`${table} ${name}`, `${table}.${column}`)
      const validated = /^validate constraint ([^ ]+)$/.exec(action)?.[1]
      const key = `${table} ${validated}`
      if (checked.has(key)) proven.set(key, checked.get(key))
      const dropped = /^drop constraint (?:if exists )?([^ ]+)/.exec(action)?.[1]
      proven.delete(`${table} ${dropped}`)
    }
  }
  return new Set(proven.values())
}
