import { isServerFile } from './endpoints.mjs'
import { findImported, importsOf, resolveImport } from './sources.mjs'

export function findImportsOfModules(sources) {
  return [...sources].flatMap(([path, text]) => {
    const folder = folderOf(path)
    if (folder === undefined) return []
    const targets = importsOf(text).flatMap(({ from }) => resolveImport(path, from) ?? [])
    return [...new Set(targets)]
      .filter((target) => folderOf(target) !== undefined && folderOf(target) !== folder)
      .map(
        (target) =>
          `${path}: do not import ${target} of another module; move what both need to src/core.`,
      )
  })
}

/** The module's folder, such as `(notes)`. */
function folderOf(path) {
  return /^src\/app\/(\([^)]+\))(?:\/|$)/.exec(path)?.[1]
}

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

const remove = `remove 'use client', or the import of 'server-only' or 'node:'; this is server code.`

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
  return importsOf(text).some(
    ({ from, type }) => !type && (from === 'server-only' || from.startsWith('node:')),
  )
}
