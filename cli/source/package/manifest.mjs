const kinds = ['dependencies', 'devDependencies']

/** package.json with what a module needs; what the app has already stays in the version it has. */
export function withPackagesOf(manifest, module) {
  const changed = { ...manifest }
  for (const kind of kinds) {
    for (const [name, version] of Object.entries(module[kind])) {
      const other = kind === 'dependencies' ? 'devDependencies' : 'dependencies'
      if (changed[kind]?.[name] || changed[other]?.[name]) continue
      changed[kind] = inserted(changed[kind] ?? {}, name, version)
    }
  }
  return changed
}

/** …and without, except for those that `isNeeded` says somebody else needs. */
export function withoutPackagesOf(manifest, module, isNeeded) {
  const changed = { ...manifest }
  for (const kind of kinds) {
    const gone = Object.keys(module[kind]).filter((name) => !isNeeded(name))
    if (!changed[kind] || gone.length === 0) continue
    const left = Object.entries(changed[kind]).filter(([name]) => !gone.includes(name))
    changed[kind] = Object.fromEntries(left)
  }
  return changed
}

/** In its place in the alphabet, with all others where they are. */
export function inserted(object, key, value) {
  const entries = Object.entries(object)
  const place = entries.findIndex(([other]) => other > key)
  entries.splice(place === -1 ? entries.length : place, 0, [key, value])
  return Object.fromEntries(entries)
}

/** As npm writes it: indented as it was, with a line at the end. */
export function serialise(value, like = '') {
  const indent = /^[ \t]+(?=")/m.exec(like)?.[0] ?? '  '
  return `${JSON.stringify(value, null, indent)}\n`
}
