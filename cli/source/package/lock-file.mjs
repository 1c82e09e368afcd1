/**
 * The lock file of an app: the template's lock file without the packages that package.json does not
 * require. npm would need the network for this.
 */
export function pruneLock(manifest, lock) {
  const packages = { ...lock.packages, '': rootEntry(manifest) }
  const reachable = findReachable(packages, {
    dev: true,
    optional: true,
    peer: true,
    peerOptional: false,
  })
  const kept = Object.entries(packages).filter(([path]) => reachable.has(path))
  const setFlags = createFlagger(Object.fromEntries(kept))
  return {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: Object.fromEntries(kept.map(([path, entry]) => [path, setFlags(path, entry)])),
  }
}

/** Merges two lock files. If both contain a path, the first one wins. */
export function mergeLocks(first, second) {
  const packages = { ...second.packages, ...first.packages }
  const paths = Object.keys(packages).sort((left, right) => (left < right ? -1 : 1))
  return { ...first, packages: Object.fromEntries(paths.map((path) => [path, packages[path]])) }
}

/** Whether the lock contains every required package. If not, npm has to complete it. */
export function isComplete(lock) {
  return Object.entries(lock.packages).every(([path, entry]) =>
    edgesOf(path, entry, everyEdge).every(
      ({ name, optional }) => optional || resolve(lock.packages, path, name) !== undefined,
    ),
  )
}

/** The fields of package.json that npm repeats in the lock file. */
function rootEntry(manifest) {
  const repeated = ['name', 'version', 'license', 'bin', 'engines', 'os', 'cpu', 'workspaces']
  const keys = [...repeated, 'dependencies', 'devDependencies', 'optionalDependencies']
  keys.push('peerDependencies', 'peerDependenciesMeta')
  return sortKeys(
    Object.fromEntries(keys.filter((key) => manifest[key]).map((key) => [key, manifest[key]])),
    {},
  )
}

/** Returns a function that sets npm's flags dev, optional, devOptional and peer on an entry. */
function createFlagger(packages) {
  const all = findReachable(packages, everyEdge)
  const without = (...kinds) =>
    findReachable(packages, {
      ...everyEdge,
      ...Object.fromEntries(kinds.map((kind) => [kind, false])),
    })
  const noDev = without('dev')
  const noOptional = without('optional', 'peerOptional')
  const neither = without('dev', 'optional', 'peerOptional')
  const noPeer = without('peer', 'peerOptional')

  return (path, { dev, devOptional, optional, peer, ...entry }) => {
    if (path === '' || !all.has(path)) return entry
    const flags = { dev: !noDev.has(path), optional: !noOptional.has(path) }
    return sortKeys(entry, {
      ...flags,
      devOptional: !flags.dev && !flags.optional && !neither.has(path),
      peer: !noPeer.has(path),
    })
  }
}

/** npm's key order, so that the result is identical to a lock file written by npm. */
function sortKeys(entry, flags) {
  const set = Object.entries(flags).filter(([, value]) => value)
  const isObject = (value) => typeof value === 'object' && !Array.isArray(value)
  const rank = ([key, value]) => {
    const first = ['name', 'version', 'resolved', 'integrity'].indexOf(key)
    if (first !== -1) return first
    return isObject(value) ? (key === 'dependencies' ? 5 : 6) : 4
  }
  const entries = [...Object.entries(entry), ...set]
  entries.sort((one, other) => rank(one) - rank(other) || (one[0] < other[0] ? -1 : 1))
  return Object.fromEntries(entries)
}

const everyEdge = { dev: true, optional: true, peer: true, peerOptional: true }

function findReachable(packages, kinds) {
  const found = new Set([''])
  const open = ['']
  while (open.length > 0) {
    const path = open.pop()
    const named = edgesOf(path, packages[path], kinds).map(({ name }) =>
      resolve(packages, path, name),
    )
    for (const target of [...named, ...linkedFrom(packages, path)]) {
      if (target === undefined || found.has(target)) continue
      found.add(target)
      open.push(target)
    }
  }
  return found
}

function edgesOf(path, entry, kinds) {
  const optional = Object.keys(entry.optionalDependencies ?? {})
  const peers = Object.keys(entry.peerDependencies ?? {})
  const isOptionalPeer = (name) => entry.peerDependenciesMeta?.[name]?.optional === true
  const edges = [
    ...Object.keys(entry.dependencies ?? {})
      .filter((name) => !optional.includes(name))
      .map((name) => ({ name, optional: false })),
    ...(kinds.optional ? optional.map((name) => ({ name, optional: true })) : []),
    ...peers
      .filter((name) => (isOptionalPeer(name) ? kinds.peerOptional : kinds.peer))
      .map((name) => ({ name, optional: isOptionalPeer(name) })),
  ]
  if (path !== '' || !kinds.dev) return edges
  return [
    ...edges,
    ...Object.keys(entry.devDependencies ?? {}).map((name) => ({ name, optional: false })),
  ]
}

/** Workspaces: the root links to them, and each link points to a folder. */
function linkedFrom(packages, path) {
  if (packages[path].link) return packages[packages[path].resolved] ? [packages[path].resolved] : []
  if (path !== '' || !packages[''].workspaces) return []
  return Object.keys(packages).filter((other) => packages[other].link)
}

/** Node's lookup: the node_modules folder of the importing package, then those of its parents. */
function resolve(packages, from, name) {
  for (let parent = from; ; parent = parentOf(parent)) {
    const path = `${parent ? `${parent}/` : ''}node_modules/${name}`
    if (packages[path]) return path
    if (parent === '') return undefined
  }
}

function parentOf(path) {
  const end = path.lastIndexOf('/node_modules/')
  return end === -1 ? '' : path.slice(0, end)
}
