import { fileURLToPath } from 'node:url'
import { root } from '../paths.mjs'
import { print } from '../terminal.mjs'
import {
  findMissingRecentSignIn,
  findRepeatedPageNames,
  findRouteHandlers,
  findUndeclaredActions,
  findUndeclaredPages,
  findWrongPaths,
} from './declarations/endpoints.mjs'
import { findMisnamedMigrations, findMissingMigrations } from './declarations/migrations.mjs'
import {
  findForeignKeysToModules,
  findImportsOfModules,
  findRepeatedNames,
} from './declarations/modules.mjs'
import { findFalseRollingClaims } from './declarations/rolling-claims.mjs'
import { findServerImports, readSources, withoutComments } from './declarations/sources.mjs'

/**
 * Mistakes that would compile: a page that is not authorized, a table that no migration creates. One
 * line for each, which names the file and says what to do.
 *
 * @returns {string[]}
 */
export function checkDeclarations() {
  return findErrors(readSources(root))
}

const rules = [
  findUndeclaredPages,
  findWrongPaths,
  findRepeatedPageNames,
  findUndeclaredActions,
  findRepeatedNames,
  findRouteHandlers,
  findMissingRecentSignIn,
  findMissingMigrations,
  findMisnamedMigrations,
  findForeignKeysToModules,
  findFalseRollingClaims,
  findImportsOfModules,
  findServerImports,
]

/**
 * @param {Map<string, string>} files the text of each file by path
 * @returns {string[]}
 */
export function findErrors(files) {
  const sources = new Map([...files].map(([path, text]) => [path, withoutComments(path, text)]))
  return rules.flatMap((rule) => rule(sources, files))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const errors = checkDeclarations()
  for (const line of errors) print(line)
  process.exitCode = errors.length === 0 ? 0 : 1
}
