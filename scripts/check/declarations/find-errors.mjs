import { findMissingRecentSignIn, findUndeclaredActions } from './actions.mjs'
import { findMisnamedMigrations, findMissingMigrations } from './migrations.mjs'
import { findImportsOfModules, findServerImports } from './module-imports.mjs'
import {
  findRepeatedPageNames,
  findRouteHandlers,
  findUndeclaredPages,
  findWrongPaths,
} from './pages.mjs'
import { findFalseRollingClaims } from './rolling-claims.mjs'
import { withoutComments } from './sources.mjs'

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
