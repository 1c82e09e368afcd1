const maxLineWidth = 100

/** Biome's order: digits within names compare as numbers. */
export function compareNames(left, right) {
  return left.localeCompare(right, 'en', { numeric: true })
}

/** An array literal of these names, formatted as Biome does. */
export function listSource(start, names) {
  const line = `${start}[${names.join(', ')}]`
  if (line.length <= maxLineWidth) return line
  return `${start}[\n${names.map((name) => `  ${name},\n`).join('')}]`
}

/** `sign-in` becomes `signInModule`. The suffix avoids reserved words. */
export function identifierFor(id, suffix) {
  const words = id.split(/[^a-zA-Z0-9]+/).filter(Boolean)
  const [first = '', ...rest] = words
  const name = first + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join('')
  return `${/^\d/.test(name) ? '_' : ''}${name}${suffix}`
}
