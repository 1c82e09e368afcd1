const kinds = ['dependencies', 'devDependencies']

/** Adds a module's packages to package.json. Packages that the app already has keep their version. */
export function withPackagesOf(manifest, module) {
  const changed = { ...manifest }
  for (const kind of kinds) {
    for (const [name, version] of Object.entries(module[kind])) {
      const other = kind === 'dependencies' ? 'devDependencies' : 'dependencies'
      if (changed[kind]?.[name] || changed[other]?.[name]) continue
      changed[kind] = insertSorted(changed[kind] ?? {}, name, version)
    }
  }
  return changed
}

/** Removes a module's packages from package.json, except those that are still needed. */
export function withoutPackagesOf(manifest, module, isNeeded) {
  const changed = { ...manifest }
  for (const kind of kinds) {
    const removed = Object.keys(module[kind]).filter((name) => !isNeeded(name))
    if (!changed[kind] || removed.length === 0) continue
    const kept = Object.entries(changed[kind]).filter(([name]) => !removed.includes(name))
    changed[kind] = Object.fromEntries(kept)
  }
  return changed
}

/** Inserts a key alphabetically without moving the others. */
export function insertSorted(object, key, value) {
  const entries = Object.entries(object)
  const index = entries.findIndex(([other]) => other > key)
  entries.splice(index === -1 ? entries.length : index, 0, [key, value])
  return Object.fromEntries(entries)
}

/** Serializes as npm does: keeps the indentation of the original and ends with a newline. */
export function serialize(value, original = '') {
  const indent = /^[ \t]+(?=")/m.exec(original)?.[0] ?? '  '
  return `${JSON.stringify(value, null, indent)}\n`
}
