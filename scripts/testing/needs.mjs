import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../paths.mjs'

/**
 * What the test files that these arguments select need before they can run. Undefined if they select
 * none by name, for example because they are flags of Vitest only.
 */
export async function needsOf(args, { folder = root, coreTests } = {}) {
  const names = args.filter((arg) => !arg.startsWith('-')).map((name) => name.replace(/^\.\//, ''))
  const all = await testFiles(folder, coreTests)
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

/** A path of the build, unless a test writes or reads it in a project of its own. */
const ownBuild = /(?<!\b(?:write|path|writeFileSync|mkdirSync)\()['"`](?:dist|\.next)\//

function needsOfFile(file, folder) {
  if (file.endsWith('.dev.spec.ts')) return { build: false, services: ['chromium'] }
  if (file.endsWith('.spec.ts')) return { build: true, services: ['chromium'] }
  const texts = sourcesOf(file, folder)
  const mentions = (pattern) => texts.some((text) => pattern.test(text))
  const onPostgres = /\.(db|anydb|postgres)\.test\.ts$/.test(file)
  const usesPostgres = !file.includes('.embedded.') && mentions(/\bTEST_POSTGRES_BIN\b/)
  return {
    build: mentions(ownBuild),
    services: [
      ...(onPostgres || usesPostgres ? ['postgres'] : []),
      ...['redis', 'pgbouncer', 'nginx', 'haproxy'].filter((name) =>
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
  const path = name.startsWith('@tests/')
    ? join('tests', name.slice('@tests/'.length))
    : name.startsWith('.') && join(dirname(from), name)
  if (!path || !/(^|[/-])tests\//.test(path)) return undefined
  return ['', '.ts', '.tsx']
    .map((suffix) => path + suffix)
    .find((candidate) => /\.\w+$/.test(candidate) && existsSync(join(folder, candidate)))
}

/** All test files of the project, and of core's tests if they were fetched. */
export async function testFiles(folder = root, coreTests = undefined) {
  const found = await Promise.all(
    ['src', 'tests', ...(coreTests ? [coreTests] : [])].map(async (part) => {
      const names = await readdir(join(folder, part), { recursive: true }).catch(() => [])
      return names.map((name) => `${part}/${name.replaceAll('\\', '/')}`)
    }),
  )
  return found.flat().filter((file) => /\.(test|spec)\.ts$/.test(file) && !/fixtures\//.test(file))
}
