import { posix } from 'node:path'
import { unsafeReasons } from './rolling/safe-claims.mjs'
import { sqlStatements } from './rolling/statements.mjs'

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
 * As `src/core/db/migrate/plan.ts` reads them.
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

/** What is wrong with the first lines of a migration, or with statements that do not fit them. */
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
