import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files that the owner of an app edits, with their lines: all but the engine, the lock file, images,
 * fonts and the dashboard.
 *
 * @param {string} app
 */
export function ownedFiles(app) {
  return readdirSync(app, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(app.length + 1))
    .filter((path) => !notOwned.some((pattern) => pattern.test(path)))
    .sort()
    .map((path) => ({ path, lines: linesOf(readFileSync(join(app, path), 'utf8')) }))
}

const notOwned = [
  /^packages\/plinth\//,
  /^vendor\//,
  /^package-lock\.json$/,
  /\.(png|ico|svg|woff2)$/,
  /^src\/app\/fonts\//,
  /^deploy\/metrics\/grafana-dashboard\.json$/,
  // No part of the repository.
  /^(\.plinth|\.git|node_modules)\//,
]

function linesOf(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
