import { productName } from '@/core/config/product-name'
import type { Scope } from '@/core/http/scope'
import type { Module, PublicPage } from '@/core/module'

/**
 * Adds the tags that need the public URL of a page, which the build does not know: the canonical URL
 * and Open Graph, with the title and description that the page has. Pages that are not to be indexed,
 * or have such tags, are left as they are.
 */
export function withSiteTags(html: string, url: string): string {
  const end = html.indexOf('</head>')
  const head = html.slice(0, end)
  if (end < 0 || ownTags.test(head)) return html
  const [, title = productName] = /<title>([^<]*)<\/title>/.exec(head) ?? []
  const [, description] = /<meta name="description" content="([^"]*)"/.exec(head) ?? []
  const properties = {
    'og:type': 'website',
    'og:site_name': escapeHtml(productName),
    'og:title': title.replaceAll('"', '&quot;'),
    ...(description ? { 'og:description': description } : {}),
    'og:url': escapeHtml(url),
    'og:image': escapeHtml(new URL('/opengraph-image.png', url).href),
  }
  const tags = [
    `<link rel="canonical" href="${escapeHtml(url)}"/>`,
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="${name}" content="${content}"/>`,
    ),
    '<meta name="twitter:card" content="summary_large_image"/>',
  ]
  return head + tags.join('') + html.slice(end)
}

const ownTags = /<meta name="robots" content="noindex|<link rel="canonical"|<meta property="og:/

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

const corePages: readonly PublicPage[] = [
  { path: '/' },
  { path: '/sign-in' },
  { path: '/api/docs' },
]

/** At most as many as a sitemap may have. */
const maxPages = 50_000

/** The pages that search engines should find: core's, and those that modules list. */
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
