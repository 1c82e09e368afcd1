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

/**
 * Next publishes every export of a 'use server' file as an endpoint. A function inside another one
 * would capture variables, which the browser then keeps, encrypted with a key that is public here.
 */
export function findUndeclaredActions(sources) {
  return [...sources].flatMap(([path, text]) => {
    const directives = text.match(/['"]use server['"]/g) ?? []
    if (directives.length === 0) return []
    if (!isServerFile(text) || directives.length > 1) {
      return [
        `${path}: move the function with 'use server' to a file actions.ts that starts with it, and declare it with action({ … }) or mutation({ … }).`,
      ]
    }
    return exportsOf(text)
      .filter(({ declaredWith }) => !declaredWith || !importsFromGuard(text, declaredWith))
      .map(
        ({ name }) =>
          `${path}: declare ${name} with action({ … }) or mutation({ … }), so that it is authorized, or do not export it.`,
      )
  })
}

/** Whether the file starts with 'use server'. */
export function isServerFile(text) {
  return /^\s*['"]use server['"]/.test(text)
}

function exportsOf(text) {
  return [...text.matchAll(/^export (?!type\b|interface\b)(.*)$/gm)].map((match) => {
    const statement = text.slice(match.index)
    const declared = /^export const \w+(?:: [^=\n]+)? =\s*(action|mutation)[(<]/.exec(statement)
    return { name: nameOf(match[1]), declaredWith: declared?.[1] }
  })
}

function nameOf(exported) {
  const named = /^(?:default )?(?:async )?(?:const|let|var|function\*?|class) (\w+)/.exec(exported)
  return named ? named[1] : `"export ${exported.trim()}"`
}

/**
 * A thief with a stolen session must not change another user, change how the owner signs in, delete the
 * account, or take its data away.
 */
const sensitive = [
  [/\blockUsers:/, 'changes another user'],
  [/\bdelete(?:UserAndData|OwnAccount)\(/, 'deletes an account'],
  [/\bstorePassword\(/, 'changes a password'],
  [/\b(?:insert|delete|update)\(accounts\)/, 'changes linked accounts'],
]

export function findMissingRecentSignIn(sources) {
  return [...sources].flatMap(([path, text]) => [
    ...mutationsIn(text).flatMap(({ name, body }) => {
      const reason = sensitive.find(([pattern]) => pattern.test(body))?.[1]
      if (!reason || hasRecentSignIn(body) || hasProof(body)) return []
      return [`${path}: ${name} ${reason}. Declare recentSignIn: true.`]
    }),
    ...routesIn(text).flatMap(({ name, body }) =>
      /\bdownload:/.test(body) && !hasRecentSignIn(body)
        ? [`${path}: the route '${name}' exports data. Declare recentSignIn: true.`]
        : [],
    ),
  ])
}

const hasRecentSignIn = (body) => /\brecentSignIn:/.test(body)

/** A proof of the change itself is more than a recent sign-in. Only mutations have it. */
const hasProof = (body) => /\bproof:/.test(body)

function mutationsIn(text) {
  return text
    .split(/^(?=(?:export )?const |(?:async )?function )/m)
    .map((body) => ({ name: /^export const (\w+) = mutation\b/.exec(body)?.[1], body }))
    .filter(({ name }) => name !== undefined)
}

function routesIn(text) {
  if (!/from '(#|plinth\/)guard\/route'/.test(text)) return []
  return text
    .split(/\broute\(/)
    .slice(1)
    .map((body) => ({ name: /\bname: '([^']*)'/.exec(body)?.[1] ?? '', body }))
}

/** Whether `name` is the guard's function, not one of the same name in the file. */
function importsFromGuard(text, name) {
  const imports = text.matchAll(/^import \{([^}]*)\} from '(?:#|plinth\/)guard\/[\w-]+'/gm)
  return [...imports].some(([, names]) => names.split(',').some((item) => item.trim() === name))
}
