import { jsonOf } from '../tree.mjs'

const manifest = /^src\/app\/\(([a-z][a-z0-9-]*)\)\/package\.json$/

/** The modules in a tree, by what their package.json says. */
export function modulesIn(tree) {
  return [...tree.keys()]
    .filter((path) => manifest.test(path))
    .map((path) => describe(jsonOf(tree, path), manifest.exec(path)[1]))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

export function describe({ version, description, plinth, dependencies, devDependencies }, id) {
  return {
    id: plinth?.id ?? id,
    version: version ?? '0.0.0',
    description: description ?? '',
    requires: plinth?.requires ?? [],
    settings: plinth?.settings ?? {},
    dependencies: dependencies ?? {},
    devDependencies: devDependencies ?? {},
  }
}

export function folderOf(id) {
  return `src/app/(${id})`
}

/** Whether a path is a module's own. */
export function moduleOf(path) {
  return /^src\/app\/\(([a-z][a-z0-9-]*)\)\//.exec(path)?.[1]
}
