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
 * What a thief with a stolen session must not do: change another user, change how the owner signs in,
 * delete the account, or take its data away.
 */
const sensitive = [
  [/\blockUsers:/, 'changes another user'],
  [/\bdeleteUserAndData\(/, 'deletes an account'],
  [/\bstorePassword\(/, 'changes a password'],
  [/\b(?:insert|delete|update)\(accounts\)/, 'changes linked accounts'],
]

export function findMissingRecentSignIn(sources) {
  return [...sources].flatMap(([path, text]) => [
    ...mutationsIn(text).flatMap(({ name, body }) => {
      const reason = sensitive.find(([pattern]) => pattern.test(body))?.[1]
      if (!reason || hasRecentSignIn(body)) return []
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

function mutationsIn(text) {
  return text
    .split(/^(?=(?:export )?const |(?:async )?function )/m)
    .map((body) => ({ name: /^export const (\w+) = mutation\b/.exec(body)?.[1], body }))
    .filter(({ name }) => name !== undefined)
}

function routesIn(text) {
  if (!text.includes("from '@/core/guard/route'")) return []
  return text
    .split(/\broute\(/)
    .slice(1)
    .map((body) => ({ name: /\bname: '([^']*)'/.exec(body)?.[1] ?? '', body }))
}

/** Whether `name` is the guard's function, not one of the same name in the file. */
export function importsFromGuard(text, name) {
  const imports = text.matchAll(/^import \{([^}]*)\} from '@\/core\/guard\/[\w-]+'/gm)
  return [...imports].some(([, names]) => names.split(',').some((item) => item.trim() === name))
}
