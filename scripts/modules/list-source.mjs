const widest = 100

/** Numbers within names count as numbers, as Biome has it. */
export function inOrder(left, right) {
  return left.localeCompare(right, 'en', { numeric: true })
}

/** An array of these names, in one line if it fits, as Biome would format it. */
export function listSource(start, names) {
  const line = `${start}[${names.join(', ')}]`
  if (line.length <= widest) return line
  return `${start}[\n${names.map((name) => `  ${name},\n`).join('')}]`
}

/** `sign-in` becomes `signInModule`: the ending keeps reserved words out. */
export function nameOf(id, ending) {
  const words = id.split(/[^a-zA-Z0-9]+/).filter(Boolean)
  const [first = '', ...rest] = words
  const name = first + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join('')
  return `${/^\d/.test(name) ? '_' : ''}${name}${ending}`
}
