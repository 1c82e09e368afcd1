const line = /(^ {2}name: )(['"]).*\2/m

/** Replaces the name of the app in the source of its configuration. */
export function withName(source, name) {
  return source.replace(line, (_, start) => `${start}${literal(name)}`)
}

/** Quotes as Biome does: the quotes that need less escaping, single ones if equal. */
function literal(name) {
  const count = (quote) => name.split(quote).length
  const quote = count("'") > count('"') ? '"' : "'"
  const escaped = name.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return `${quote}${escaped}${quote}`
}

/** The name in package.json: lowercase letters, digits and hyphens. */
export function packageName(name) {
  const plain = name.normalize('NFKD').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'app'
}

/** Replaces the title among the labels of the image. */
export function withTitle(dockerfile, name) {
  return dockerfile.replace(/(image\.title=")[^"]*/, `$1${packageName(name)}`)
}
