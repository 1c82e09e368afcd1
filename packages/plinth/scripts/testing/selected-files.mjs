import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { root } from '../paths.mjs'
import { CommandError } from '../terminal.mjs'

/** Before anything is installed or built for a name that selects no test. */
export async function refuseUnknownFiles(args, { folder = root } = {}) {
  const all = await testFiles(folder)
  const isUnknown = (name) => !all.some((file) => file.includes(name))
  const unknown = selectors(args, folder).find(isUnknown)
  if (unknown === undefined) return
  const nearest = nearestFile(unknown, all)
  const hint = nearest ? `Did you mean ${nearest}?` : 'Give a file, a folder or a part of its path.'
  throw new CommandError(`No test file matches ${unknown}. ${hint}`)
}

/** The arguments that name files. The value of a flag, such as `-t`, is none. */
function selectors(args, folder) {
  return args
    .filter((arg, index) => !arg.startsWith('-') && !/^--?[^=]+$/.test(args[index - 1] ?? ''))
    .map((name) => name.replace(join(folder, '/'), '').replace(/^\.\//, '').replace(/:\d+$/, ''))
}

/** The name counts before the folder, which is left out or wrong more often. */
function nearestFile(name, files) {
  const distanceTo = (file) => editDistance(basename(name), basename(file))
  const [nearest] = files
    .map((file) => ({ file, distance: distanceTo(file), whole: editDistance(name, file) }))
    .filter(({ distance }) => distance <= 4)
    .sort((one, other) => one.distance - other.distance || one.whole - other.whole)
  return nearest?.file
}

export function editDistance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = row[column] + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(replaced, row[column + 1] + 1, next[column] + 1))
    }
    row = next
  }
  return row.at(-1)
}

/**
 * Returns what the selected test files need before they can run. Undefined if the arguments select
 * none by name, for example because they are flags of Vitest only.
 */
export async function needsOf(args, { folder = root } = {}) {
  const names = selectors(args, folder)
  const all = await testFiles(folder)
  const files = all.filter((file) => names.some((name) => file.includes(name)))
  if (files.length === 0) return undefined
  const specs = files.filter((file) => file.endsWith('.spec.ts'))
  const needs = files.map((file) => needsOfFile(file, folder))
  return {
    files,
    specs,
    build: needs.some(({ build }) => build),
    services: [...new Set(needs.flatMap(({ services }) => services))],
  }
}

/** The spec of a page that only the development server has. */
export function isDevelopmentSpec(file) {
  return /\/development\/[^/]+\.spec\.ts$/.test(file)
}

/** A path of the build, unless a test writes or reads it in a project of its own. */
const ownBuild =
  /(?<!\b(?:write|path|writeFileSync|mkdirSync)\()['"`](?:\.next\/|node_modules\/plinth\b)/

function needsOfFile(file, folder) {
  if (isDevelopmentSpec(file)) return { build: false, services: ['chromium'] }
  if (file.endsWith('.spec.ts')) return { build: true, services: ['chromium'] }
  const texts = sourcesOf(file, folder)
  const mentions = (pattern) => texts.some((text) => pattern.test(text))
  const onPostgres = /\.(db|postgres)\.test\.ts$/.test(file)
  const usesPostgres = !file.includes('.embedded.') && mentions(/\bTEST_POSTGRES_BIN\b/)
  return {
    build: mentions(ownBuild),
    services: [
      ...(onPostgres || usesPostgres ? ['postgres'] : []),
      ...['redis', 'pgbouncer', 'nginx', 'prometheus', 'haproxy', 'strace'].filter((name) =>
        mentions(new RegExp(`\\bTEST_${name.toUpperCase()}(_URL)?\\b`)),
      ),
    ],
  }
}

/** The text of a test and of all test support that it imports. */
function sourcesOf(file, folder) {
  const texts = new Map()
  const read = (path) => {
    if (texts.has(path)) return
    const text = readFileSync(join(folder, path), 'utf8')
    texts.set(path, text)
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const imported = resolveImport(path, name, folder)
      if (imported) read(imported)
    }
  }
  read(file)
  return [...texts.values()]
}

function resolveImport(from, name, folder) {
  const path = pathOf(from, name, folder)
  if (!path || !/(^|[/-])tests\/|\/testing(\/|$)/.test(path)) return undefined
  return ['', '.ts', '.tsx', '/index.ts']
    .map((suffix) => path + suffix)
    .find((candidate) => /\.\w+$/.test(candidate) && existsSync(join(folder, candidate)))
}

function pathOf(from, name, folder) {
  if (name.startsWith('@tests/')) return join('tests', name.slice('@tests/'.length))
  if (name.startsWith('.')) return join(dirname(from), name)
  const [, inEngine] = /^(?:#|plinth\/)(testing(?:\/.+)?)$/.exec(name) ?? []
  return inEngine && join(engineSource(folder), inEngine)
}

/** Ejected, or installed. */
function engineSource(folder) {
  const ejected = join('packages', 'plinth', 'src')
  return existsSync(join(folder, ejected)) ? ejected : join('node_modules', 'plinth', 'src')
}

/** All test files of the app, and of the engine if its sources are here. */
export async function testFiles(folder = root) {
  const found = await Promise.all(
    ['src', 'tests', 'packages/plinth/tests'].map(async (part) => {
      const names = await readdir(join(folder, part), { recursive: true }).catch(() => [])
      return names.map((name) => `${part}/${name.replaceAll('\\', '/')}`)
    }),
  )
  return found.flat().filter((file) => /\.(test|spec)\.ts$/.test(file) && !/fixtures\//.test(file))
}
