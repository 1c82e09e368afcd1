/**
 * Adds a name to a list of a module's manifest, such as `api`, and imports it. Undefined if the
 * manifest does not have the usual form, so that the edit would be a guess.
 *
 * @param {string} source the text of module.ts
 */
export function withManifestEntry(source, { key, name, from, isFirst = false }) {
  const [, head, body, end] = manifest.exec(source) ?? []
  if (body === undefined || !/^import /m.test(head)) return undefined
  const next = withEntry(body, { key, name, isFirst })
  if (next === undefined) return undefined
  const imported = `${head.slice(0, head.search(/^import /m))}import { ${name} } from '${from}'\n`
  return `${imported}${head.slice(head.search(/^import /m))}${next}${end}`
}

/** The manifest is the last statement of the file. */
const manifest = /^([\s\S]*\nexport const module: Module = \{)([\s\S]*?),?(\s*\}\s*)$/

function withEntry(body, { key, name, isFirst }) {
  const keys = [...body.matchAll(new RegExp(`(?<=^|[\\n,{])\\s*${key}\\b`, 'g'))]
  if (keys.length === 0) return `${body},\n  ${key}: [${name}],`
  if (keys.length > 1) return undefined
  const list = (items) =>
    `[${(isFirst ? [name, items] : [items, name]).filter(Boolean).join(', ')}]`
  const shorthand = new RegExp(`(?<=(^|\\n)\\s*)${key}(?=,|\\s*$)`)
  if (shorthand.test(body)) {
    return `${body.replace(shorthand, () => `${key}: ${list(`...${key}`)}`)},`
  }
  const array = new RegExp(`(?<=(^|\\n)\\s*${key}: )\\[([^\\][]*)\\]`)
  if (!array.test(body)) return undefined
  return `${body.replace(array, (...[, , items]) => list(items.trim().replace(/,$/, '')))},`
}

export function isInManifest(source, { name, from }) {
  return source.includes(`import { ${name} } from '${from}'\n`)
}
