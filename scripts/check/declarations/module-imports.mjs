import { importsOf, resolveImport } from './imports.mjs'

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
