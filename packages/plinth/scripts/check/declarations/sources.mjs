import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isServerFile } from './endpoints.mjs'

/**
 * The TypeScript and SQL files of the engine and of the app by path, in the order of their paths. The
 * engine has the paths of its sources wherever it is.
 *
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function readSources(root) {
  const engine = existsSync(join(root, 'packages', 'plinth', 'src'))
    ? 'packages/plinth'
    : 'node_modules/plinth'
  const files = [
    ...filesUnder(root, 'src', 'src'),
    ...filesUnder(root, `${engine}/src`, 'packages/plinth/src'),
    ...filesUnder(root, `${engine}/migrations`, 'packages/plinth/migrations'),
  ]
  return new Map(files.sort(([left], [right]) => (left < right ? -1 : 1)))
}

function filesUnder(root, folder, name) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(tsx?|sql)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((file) => [
      `${name}${file.slice(join(root, folder).length).replaceAll('\\', '/')}`,
      readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
    ])
}

const statement =
  /^(?:import|export(?=\s+(?:type\s+)?[*{]))\s+(?<type>type\s+)?(?<names>(?:[\w$*][^'"{}]*?)?(?:\{[^}]*\})?)\s*from\s*['"](?<from>[^'"]+)['"]/gm
const sideEffect = /^import\s*['"](?<from>[^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)/g

/**
 * @param {string} text without comments
 * @returns {{ from: string, names: string | undefined, type: boolean }[]} in the order of the file
 */
export function importsOf(text) {
  return [statement, sideEffect, dynamic]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .sort((left, right) => left.index - right.index)
    .map(({ groups }) => ({ from: groups.from, names: groups.names, type: isTypeImport(groups) }))
}

function isTypeImport({ type, names }) {
  if (type) return true
  const listed = /^\{([^}]*)\}$/.exec(names?.trim() ?? '')?.[1].split(',')
  const items = listed?.map((name) => name.trim()).filter(Boolean) ?? []
  return items.length > 0 && items.every((name) => name.startsWith('type '))
}

/** The path in the repository without extension, or undefined for a package. */
export function resolveImport(path, from) {
  if (from.startsWith('@/')) return posix.join('src', from.slice(2))
  const engine = /^(?:#|plinth\/)(.+)$/.exec(from)?.[1]
  if (engine) return posix.join('packages/plinth/src', engine)
  if (/^\.{1,2}(\/|$)/.test(from)) return posix.join(posix.dirname(path), from)
  return undefined
}

/** The path of the imported source, or undefined for a package or another kind of file. */
function findImported(sources, path, from) {
  const target = resolveImport(path, from)
  if (target === undefined) return undefined
  const candidates = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => target + end)
  return candidates.find((candidate) => sources.has(candidate))
}

/**
 * Strings are matched so that a comment sign in them is kept.
 *
 * @param {string} path
 * @param {string} text
 */
export function withoutComments(path, text) {
  const pattern = path.endsWith('.sql') ? sqlPattern : typeScriptPattern
  return text.replace(pattern, (match, string) => (string === undefined ? '' : match))
}

const sqlPattern = /('(?:''|[^'])*'|"[^"\n]*")|\/\*[\s\S]*?\*\/|--[^\n]*/g

const typeScriptPattern =
  /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/**
 * The items of a list in brackets, split at the commas outside of nested brackets and strings.
 *
 * @param {string} text
 * @param {number} start the index of the opening bracket
 * @returns {string[]}
 */
export function splitList(text, start) {
  const items = ['']
  let depth = 0
  for (const [token] of text.slice(start).matchAll(tokens)) {
    if (')]}'.includes(token)) depth -= 1
    if (depth === 0 && ')]}'.includes(token)) break
    if (depth === 1 && token === ',') items.push('')
    else if (depth > 0) items[items.length - 1] += token
    if ('([{'.includes(token)) depth += 1
  }
  return items.map((item) => item.trim()).filter(Boolean)
}

const tokens = /'(?:\\.|''|[^'\\])*'|"[^"]*"|`(?:\\.|[^`\\])*`|[^'"`]/g

/** Server code that a client component imports, also through other files. Type imports do not count. */
export function findServerImports(sources) {
  const serverFileFrom = findServerFiles(sources)
  return [...sources].flatMap(([path, text]) => {
    if (!isClientFile(text)) return []
    if (isServerCode(text)) return [`${path}: ${remove}`]
    return importedBy(sources, path).flatMap((step) => {
      const server = serverFileFrom(step)
      if (server === undefined) return []
      const chain = server === step ? step : `${step}, which reaches ${server}`
      return [
        `${path}: a client component cannot import server code. It imports ${chain}. Use \`import type\`, or pass the value as a prop.`,
      ]
    })
  })
}

const serverCode = /^(server-only$|node:|plinth\/(?!universal\/))/

const remove = `remove 'use client', or the import of 'server-only', 'node:' or 'plinth/' except 'plinth/universal/'; this is server code.`

/** The first server file that each file reaches by imports, or undefined. */
function findServerFiles(sources) {
  return (start) => {
    const reached = new Set([start])
    for (const path of reached) {
      const text = sources.get(path)
      // Actions are called over HTTP, and another client component has a line of its own.
      if (isServerFile(text) || isClientFile(text)) continue
      if (isServerCode(text)) return path
      for (const next of importedBy(sources, path)) reached.add(next)
    }
    return undefined
  }
}

function importedBy(sources, path) {
  const values = importsOf(sources.get(path)).filter(({ type }) => !type)
  const found = values.map(({ from }) => findImported(sources, path, from))
  return [...new Set(found.filter((target) => target !== undefined))]
}

function isClientFile(text) {
  return /^\s*['"]use client['"]/.test(text)
}

function isServerCode(text) {
  return importsOf(text).some(({ from, type }) => !type && serverCode.test(from))
}
