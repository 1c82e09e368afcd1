import { posix } from 'node:path'
import { directiveErrors, readDirectives } from './rolling/directives.mjs'
import { unsafeReasons } from './rolling/safe-claims.mjs'
import { sqlStatements } from './rolling/sql-statements.mjs'

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
