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
