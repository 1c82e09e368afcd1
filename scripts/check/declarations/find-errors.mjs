import { findUndeclaredActions } from './actions.mjs'
import { findServerImports } from './client-imports.mjs'
import { findMisnamedMigrations, findMissingMigrations } from './migrations.mjs'
import { findImportsOfModules } from './module-imports.mjs'
import { findRepeatedPageNames } from './page-names.mjs'
import { findWrongPaths } from './page-paths.mjs'
import { findUndeclaredPages } from './pages.mjs'
import { findMissingRecentSignIn } from './recent-sign-in.mjs'
import { findFalseRollingClaims } from './rolling-claims.mjs'
import { findRouteHandlers } from './route-handlers.mjs'
import { withoutComments } from './without-comments.mjs'

const rules = [
  findUndeclaredPages,
  findWrongPaths,
  findRepeatedPageNames,
  findUndeclaredActions,
  findRouteHandlers,
  findMissingRecentSignIn,
  findMissingMigrations,
  findMisnamedMigrations,
  findFalseRollingClaims,
  findImportsOfModules,
  findServerImports,
]

/**
 * One line for each error, which names the file and says what to do.
 *
 * @param {Map<string, string>} files the text of each file by path
 * @returns {string[]}
 */
export function findErrors(files) {
  const sources = new Map([...files].map(([path, text]) => [path, withoutComments(path, text)]))
  return rules.flatMap((rule) => rule(sources, files))
}
