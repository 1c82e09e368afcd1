import { declarationOf, pagesIn } from './pages.mjs'

export function findRepeatedPageNames(sources) {
  const first = new Map()
  return pagesIn(sources).flatMap(([path, text]) => {
    const name = /\bname: '([^']*)'/.exec(guardOf(text))?.[1]
    if (name === undefined) return []
    const other = first.get(name)
    if (other === undefined) {
      first.set(name, path)
      return []
    }
    return [
      `${path}: choose another name than '${name}', which is the name of ${other} in the audit log.`,
    ]
  })
}

/** Only `page()` has a name. */
function guardOf(text) {
  const declaration = declarationOf(text)
  return declaration?.startsWith('export default page') ? declaration : ''
}
