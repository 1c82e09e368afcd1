import { integrityOf } from '../origin/origin.mjs'
import { mergeLocks, pruneLock } from '../package/lock-file.mjs'
import { serialize } from '../package/manifest.mjs'
import { jsonOf } from '../tree.mjs'

/** The tarball of the engine is in this folder, unless the app has its sources. */
const vendor = 'vendor/'

const entry = 'node_modules/plinth'

/** package.json of an app whose engine is the tarball at this path. */
export function withEngine(manifest, path) {
  return { ...manifest, dependencies: { ...manifest.dependencies, plinth: `file:${path}` } }
}

/** The lock file of the template with the tarball instead of the folder of the sources. */
export function withLockedEngine(lock, { path, content }) {
  const { version, resolved, integrity, ...rest } = lock.packages[entry]
  const engine = { version, resolved: `file:${path}`, integrity: integrityOf(content), ...rest }
  return { ...lock, packages: { ...lock.packages, [entry]: engine } }
}

/** The path of the tarball that a tree depends on, if any. */
export function enginePath(tree) {
  const { plinth } = jsonOf(tree, 'package.json').dependencies ?? {}
  const path = plinth?.replace(/^file:/, '')
  return path?.startsWith(vendor) ? path : undefined
}

/** The version of that tarball. */
export function engineVersion(tree) {
  return /plinth-(.+)\.tgz$/.exec(enginePath(tree) ?? '')?.[1]
}

/** Whether an app has another engine than the version of the template that it was made of. */
export function hasOtherEngine(ours, base) {
  const path = enginePath(base)
  return path !== undefined && !ours.get(path)?.equals(base.get(path))
}

/** The tree with the engine of another one, and with the packages that both need in the same version. */
export function withEngineOf(tree, other) {
  const path = enginePath(other)
  const result = new Map([...tree].filter(([name]) => !name.startsWith(vendor)))
  if (!other.has(path)) return result
  result.set(path, other.get(path))
  const [own, others] = [tree, other].map((one) => jsonOf(one, 'package.json'))
  const lock = jsonOf(other, 'package-lock.json')
  const shared = ['plinth', ...Object.keys(lock?.packages[entry]?.peerDependencies ?? {})]
  const manifest = withVersions(own, others, shared)
  result.set('package.json', Buffer.from(serialize(manifest, tree.get('package.json').toString())))
  if (lock)
    result.set(
      'package-lock.json',
      lockWith(jsonOf(tree, 'package-lock.json'), lock, manifest, shared),
    )
  return result
}

const kinds = ['dependencies', 'devDependencies']

/** `manifest` with the versions that another one has of these packages. */
function withVersions(manifest, other, names) {
  const changed = kinds.map((kind) => {
    const versions = Object.entries(manifest[kind] ?? {}).map(([name, version]) => [
      name,
      (names.includes(name) && other[kind]?.[name]) || version,
    ])
    return [kind, Object.fromEntries(versions)]
  })
  return { ...manifest, ...Object.fromEntries(changed) }
}

/** A lock file with what the engine needs of another one. */
function lockWith(lock, other, manifest, names) {
  const needed = kinds.map((kind) => [
    kind,
    Object.fromEntries(Object.entries(manifest[kind]).filter(([name]) => names.includes(name))),
  ])
  const engine = pruneLock({ ...manifest, ...Object.fromEntries(needed) }, other)
  return Buffer.from(serialize(pruneLock(manifest, mergeLocks(engine, lock))))
}
