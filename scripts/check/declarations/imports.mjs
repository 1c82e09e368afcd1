import { posix } from 'node:path'

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
