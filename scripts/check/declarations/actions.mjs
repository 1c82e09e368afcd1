import { importsFromGuard } from './guard-imports.mjs'

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
