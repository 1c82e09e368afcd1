import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * The TypeScript and SQL files of `root`/src by path, in the order of their paths.
 *
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function readSources(root) {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.(tsx?|sql)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  return new Map(
    files
      .map((file) => [
        file.slice(join(root, '/').length).replaceAll('\\', '/'),
        readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
      ])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )
}

const statement =
  /^(?:import|export(?=\s+(?:type\s+)?[*{]))\s+(?<type>type\s+)?(?<names>(?:[\w$*][^'"{}]*?)?(?:\{[^}]*\})?)\s*from\s*['"](?<from>[^'"]+)['"]/gm
const sideEffect = /^import\s*['"](?<from>[^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)/g

/**
 * @param {string} text without comments
 * @returns {{ from: string, type: boolean }[]} in the order of the file
 */
export function importsOf(text) {
  return [statement, sideEffect, dynamic]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .sort((left, right) => left.index - right.index)
    .map(({ groups }) => ({ from: groups.from, type: isTypeImport(groups) }))
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
  if (/^\.{1,2}(\/|$)/.test(from)) return posix.join(posix.dirname(path), from)
  return undefined
}

/** The path of the imported source, or undefined for a package or another kind of file. */
export function findImported(sources, path, from) {
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
