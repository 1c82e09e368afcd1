const line = /(productName\s*=\s*)(['"]).*\2/

/** The one line that says what the app is called. */
export function withName(source, name) {
  return source.replace(line, (_, start) => `${start}${literal(name)}`)
}

/** As Biome would quote it: whichever quotes need less escaping, single ones if it is the same. */
function literal(name) {
  const count = (quote) => name.split(quote).length
  const quote = count("'") > count('"') ? '"' : "'"
  const escaped = name.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return `${quote}${escaped}${quote}`
}
