import { createHash } from 'node:crypto'

/**
 * A fingerprint of core, which the template's tests have tested: a digest of each of its files, and
 * of each of its packages with all that the package depends on. The CLI writes it into the app.
 *
 * @public Used by the CLI.
 * @param {Map<string, Buffer>} tree the files of the app
 * @param {string[]} packages the names of core's packages
 */
export function coreRecord(tree, packages, lock) {
  const files = [...tree].filter(([path]) => isCoreFile(path)).sort(byName)
  return {
    files: Object.fromEntries(files.map(([path, content]) => [path, digest(content)])),
    packages: packageDigests(lock, packages),
  }
}

/**
 * A fingerprint of a module of the template: one digest of all its files, and one of each package.
 *
 * @public Used by the CLI.
 * @param {[string, Buffer][]} files
 */
export function moduleRecord(files, packages, lock) {
  return { files: filesDigest(files), packages: packageDigests(lock, packages) }
}

/** @param {{ files: string, packages: Record<string, string> }} record */
export function isModuleChanged(record, files, lock) {
  if (filesDigest(files) !== record.files) return true
  return changedPackages(record.packages, lock).length > 0
}

/**
 * The differences from the record. Files that the app has added to the engine are used by files that it
 * has changed, except for migrations.
 *
 * @param {{ files: Record<string, string>, packages: Record<string, string> }} record
 * @param {{ read(path: string): Buffer | undefined, migrations: string[], lock: object }} app
 */
export function coreDifferences(record, { read, migrations, lock }) {
  const changed = Object.keys(record.files).filter((path) => {
    const content = read(path)
    return content === undefined || digest(content) !== record.files[path]
  })
  const added = migrations.filter((path) => !(path in record.files))
  return [...changed, ...added, ...changedPackages(record.packages, lock)]
}

const core = [
  /^src\//,
  /^packages\/plinth\/(?!(scripts|tests)\/)/,
  /^tests\/[^/]+\.ts$/,
  /^(next|playwright|vitest)\.config\.ts$/,
  /^tsconfig\.json$/,
]

/** The files that every app changes: modules, its configuration and how it looks. */
const ownedByApp = [
  /^src\/modules\.ts$/,
  /^src\/app\/\((?!auth\))[^)]+\)\//,
  /^src\/plinth\.config\.ts$/,
  /^src\/app\/(fonts|theme-colors)\b/,
  /^src\/app\/[^/]+\.(css|svg|png|ico)$/,
  /^src\/ui\/brand\.tsx$/,
  /^src\/mail\/message-layout\.ts$/,
]

function isCoreFile(path) {
  const matches = (patterns) => patterns.some((pattern) => pattern.test(path))
  return matches(core) && !matches(ownedByApp)
}

/** Documents are no part of what was tested: links of an app's lead to what it has. */
function filesDigest(files) {
  const tested = files.filter(([path]) => !path.endsWith('.md')).sort(byName)
  return digest(tested.map(([path, content]) => `${path} ${digest(content)}`).join('\n'))
}

function packageDigests(lock, names) {
  return Object.fromEntries([...names].sort().map((name) => [name, packageDigest(lock, name)]))
}

function changedPackages(recorded, lock) {
  return Object.keys(recorded).filter((name) => packageDigest(lock, name) !== recorded[name])
}

/** Optional packages are left out: npm installs them by platform. */
function packageDigest({ packages }, name) {
  const found = new Set()
  const visit = (from, dependency) => {
    const path = resolve(packages, from, dependency)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = packages[path]
    for (const next of Object.keys(dependencies)) {
      if (!(next in optionalDependencies)) visit(path, next)
    }
  }
  visit('', name)
  const versions = [...found].map((path) => `${nameAt(path)} ${packages[path].version}`)
  return digest([...new Set(versions)].sort().join('\n'))
}

/** Node's lookup: the node_modules folder of the importing package, then those of its parents. */
function resolve(packages, from, name) {
  for (
    let parent = from;
    ;
    parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/')))
  ) {
    const path = `${parent ? `${parent}/` : ''}node_modules/${name}`
    if (packages[path]) return path
    if (parent === '') return undefined
  }
}

function nameAt(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function digest(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

function byName([one], [other]) {
  return one < other ? -1 : 1
}
