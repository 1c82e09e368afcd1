import { readText } from './installed-parts.mjs'
import { isInManifest, withManifestEntry } from './manifest-entry.mjs'

/** The edit of module.ts that lists a route or a mail, or the lines that the user adds. */
export async function manifestEdit(app, folder, entry) {
  const { key, name, from } = entry
  const path = `${folder}/module.ts`
  const source = await readText(app, path)
  if (isInManifest(source, entry)) return { edited: {}, notes: [] }
  const text = withManifestEntry(source, entry)
  if (text !== undefined) return { edited: { [path]: text }, notes: [] }
  return {
    edited: {},
    notes: [`Add to ${path}:`, `  import { ${name} } from '${from}'`, `  ${key}: [${name}],`],
  }
}
