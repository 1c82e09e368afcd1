import { declarationOf, pagesIn } from './pages.mjs'

/** Callers who sign in return to the declared path. */
export function findWrongPaths(sources) {
  return pagesIn(sources).flatMap(([path, text]) => {
    const declaration = declarationOf(text)
    if (declaration === undefined) return []
    const expected = urlOf(path)
    const declared = /\bpath: '([^']*)'/.exec(declaration)?.[1]
    if (declared === expected) return []
    const reason = declared === undefined ? 'its path is missing' : `its path is not '${declared}'`
    return [`${path}: write path: '${expected}', the URL of its folder; ${reason}.`]
  })
}

/** Route groups and parallel routes are not part of the URL. */
function urlOf(path) {
  const folders = path.split('/').slice(2, -1)
  return `/${folders.filter((folder) => !/^\([^.)].*\)$|^@/.test(folder)).join('/')}`
}
