import type { Scope } from '#http/scope'
import type { Module, PublicPage } from '#modules/module'

const corePages: readonly PublicPage[] = [
  { path: '/' },
  { path: '/sign-in' },
  { path: '/api/docs' },
]

/** At most as many as a sitemap may have. */
const maxPages = 50_000

/** The pages that search engines should find: the engine's, and those that modules list. */
export async function publicPages(modules: readonly Module[]): Promise<PublicPage[]> {
  const listed = await Promise.all(modules.map(({ sitemap }) => sitemap?.() ?? []))
  return [...corePages, ...listed.flat()].slice(0, maxPages)
}

const anonymous: Scope = { session: undefined, bearer: false, ip: '', requestId: '' }

/** The places of the navigation and the user menu that an anonymous caller may not open. */
export function privatePaths(modules: readonly Module[]): string[] {
  const navigation = modules.flatMap(({ navigation = [] }) => navigation)
  const paths = [
    '/api/',
    '/home',
    '/confirm',
    ...navigation.filter(({ authorize }) => !authorize(anonymous)).map(({ href }) => href),
    ...modules.flatMap(({ userMenu = [] }) => userMenu).map(({ href }) => href),
  ]
  return [...new Set(paths)]
}
