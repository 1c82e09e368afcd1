/**
 * The lock file of an app is a part of the template's: the same versions, without what no installed
 * module needs. It is cut here and not by npm, which would have to be asked over the network.
 */
export function lockFor(manifest, lock) {
  const packages = { ...lock.packages, '': rootOf(manifest) }
  const reachable = reach(packages, { dev: true, optional: true, peer: true, peerOptional: false })
  const kept = Object.entries(packages).filter(([path]) => reachable.has(path))
  const flagged = flagger(Object.fromEntries(kept))
  return {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: Object.fromEntries(kept.map(([path, entry]) => [path, flagged(path, entry)])),
  }
}

/** Both locks in one; where they disagree on a place, the first has it. */
export function joinLocks(first, second) {
  const packages = { ...second.packages, ...first.packages }
  const paths = Object.keys(packages).sort((left, right) => (left < right ? -1 : 1))
  return { ...first, packages: Object.fromEntries(paths.map((path) => [path, packages[path]])) }
}

/** Whether every package that is asked for is in the lock: else npm has to complete it. */
export function isComplete(lock) {
  return Object.entries(lock.packages).every(([path, entry]) =>
    edgesOf(path, entry, everyEdge).every(
      ({ name, optional }) => optional || resolve(lock.packages, path, name) !== undefined,
    ),
  )
}

/** What npm repeats of package.json. */
function rootOf(manifest) {
  const repeated = ['name', 'version', 'license', 'bin', 'engines', 'os', 'cpu', 'workspaces']
  const keys = [...repeated, 'dependencies', 'devDependencies', 'optionalDependencies']
  keys.push('peerDependencies', 'peerDependenciesMeta')
  return inOrder(
    Object.fromEntries(keys.filter((key) => manifest[key]).map((key) => [key, manifest[key]])),
    {},
  )
}

/** As npm marks them: what is there for development alone, or may be missing. */
function flagger(packages) {
  const all = reach(packages, everyEdge)
  const without = (...kinds) =>
    reach(packages, { ...everyEdge, ...Object.fromEntries(kinds.map((kind) => [kind, false])) })
  const noDev = without('dev')
  const noOptional = without('optional', 'peerOptional')
  const neither = without('dev', 'optional', 'peerOptional')
  const noPeer = without('peer', 'peerOptional')

  return (path, { dev, devOptional, optional, peer, ...entry }) => {
    if (path === '' || !all.has(path)) return entry
    const flags = { dev: !noDev.has(path), optional: !noOptional.has(path) }
    return inOrder(entry, {
      ...flags,
      devOptional: !flags.dev && !flags.optional && !neither.has(path),
      peer: !noPeer.has(path),
    })
  }
}

/** npm's order of keys, so that a lock it wrote and ours are the same bytes. */
function inOrder(entry, flags) {
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

function reach(packages, kinds) {
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
  const mayLack = (name) => entry.peerDependenciesMeta?.[name]?.optional === true
  const edges = [
    ...Object.keys(entry.dependencies ?? {})
      .filter((name) => !optional.includes(name))
      .map((name) => ({ name, optional: false })),
    ...(kinds.optional ? optional.map((name) => ({ name, optional: true })) : []),
    ...peers
      .filter((name) => (mayLack(name) ? kinds.peerOptional : kinds.peer))
      .map((name) => ({ name, optional: mayLack(name) })),
  ]
  if (path !== '' || !kinds.dev) return edges
  return [
    ...edges,
    ...Object.keys(entry.devDependencies ?? {}).map((name) => ({ name, optional: false })),
  ]
}

/** Workspaces: the root has links to them, and a link leads to a folder. */
function linkedFrom(packages, path) {
  if (packages[path].link) return packages[packages[path].resolved] ? [packages[path].resolved] : []
  if (path !== '' || !packages[''].workspaces) return []
  return Object.keys(packages).filter((other) => packages[other].link)
}

/** The place that Node would find: beside the one that asks, or further up. */
function resolve(packages, from, name) {
  for (let place = from; ; place = parentOf(place)) {
    const path = `${place ? `${place}/` : ''}node_modules/${name}`
    if (packages[path]) return path
    if (place === '') return undefined
  }
}

function parentOf(place) {
  const end = place.lastIndexOf('/node_modules/')
  return end === -1 ? '' : place.slice(0, end)
}
