import { importsFromGuard } from './guard-imports.mjs'

/** Pages that exist in production: not `page.dev.tsx`. */
export function pagesIn(sources) {
  return [...sources].filter(([path]) => /^src\/app\/(.*\/)?page\.tsx?$/.test(path))
}

/** The declaration of a page and what follows it, or undefined. */
export function declarationOf(text) {
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
