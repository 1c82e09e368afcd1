import { fileURLToPath } from 'node:url'
import { root } from '../paths.mjs'
import { print } from '../terminal.mjs'
import { findErrors } from './declarations/find-errors.mjs'
import { readSources } from './declarations/sources.mjs'

/**
 * Mistakes that would compile: a page that is not authorized, a table that no migration creates. One
 * line for each, which names the file and says what to do.
 *
 * @returns {string[]}
 */
export function checkDeclarations() {
  return findErrors(readSources(root))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const errors = checkDeclarations()
  for (const line of errors) print(line)
  process.exitCode = errors.length === 0 ? 0 : 1
}
