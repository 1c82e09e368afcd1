import { jsonOf } from '../tree.mjs'

const manifest = /^src\/app\/\(([a-z][a-z0-9-]*)\)\/package\.json$/

/** The modules in a tree, described by their package.json. */
export function modulesIn(tree) {
  return [...tree.keys()]
    .filter((path) => manifest.test(path))
    .map((path) => describeModule(jsonOf(tree, path), manifest.exec(path)[1]))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

export function describeModule(
  { version, description, plinth, dependencies, devDependencies },
  id,
) {
  return {
    id: plinth?.id ?? id,
    version: version ?? '0.0.0',
    description: description ?? '',
    requires: plinth?.requires ?? [],
    /** With what it protects users, such as `second factors`. It is not removed silently. */
    protects: plinth?.protects,
    settings: plinth?.settings ?? {},
    dependencies: dependencies ?? {},
    devDependencies: devDependencies ?? {},
  }
}

export function moduleFolder(id) {
  return `src/app/(${id})`
}

/** The id of the module that a path belongs to, if any. */
export function moduleOfPath(path) {
  return /^src\/app\/\(([a-z][a-z0-9-]*)\)\//.exec(path)?.[1]
}
