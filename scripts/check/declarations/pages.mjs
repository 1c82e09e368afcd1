import { importsFromGuard } from './actions.mjs'

/** Pages that exist in production: not `page.dev.tsx`. */
function pagesIn(sources) {
  return [...sources].filter(([path]) => /^src\/app\/(.*\/)?page\.tsx?$/.test(path))
}

/** The declaration of a page and what follows it, or undefined. */
function declarationOf(text) {
  const match = /^export default (page|publicPage)[(<]/m.exec(text)
  return match && importsFromGuard(text, match[1]) ? text.slice(match.index) : undefined
}

export function findUndeclaredPages(sources) {
  return pagesIn(sources)
    .filter(([, text]) => declarationOf(text) === undefined)
    .map(
      ([path]) =>
        `${path}: export default page({ … }) or publicPage({ … }), so that the page is authorized.`,
    )
}

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

const api = 'src/app/api/[[...path]]/route.ts'

/** A file `route.dev.ts` exists in development only. */
export function findRouteHandlers(sources) {
  return [...sources.keys()]
    .filter((path) => /^src\/app\/(.*\/)?route\.tsx?$/.test(path) && path !== api)
    .map(
      (path) =>
        `${path}: declare it with route({ … }) in the module's api.ts, so that it is authorized; ${api} serves it.`,
    )
}
