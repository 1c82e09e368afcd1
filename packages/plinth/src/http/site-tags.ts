import { appConfig } from '#config/app-config'
import { escapeHtml } from '#universal/html'

/**
 * Adds the tags that need the public URL of a page, which the build does not know: the canonical URL
 * and Open Graph, with the title and description that the page has. Pages that are not to be indexed,
 * or have such tags, are left as they are.
 */
export function withSiteTags(html: string, url: string): string {
  const end = html.indexOf('</head>')
  const head = html.slice(0, end)
  if (end < 0 || ownTags.test(head)) return html
  const [, title = appConfig().name] = /<title>([^<]*)<\/title>/.exec(head) ?? []
  const [, description] = /<meta name="description" content="([^"]*)"/.exec(head) ?? []
  const properties = {
    'og:type': 'website',
    'og:site_name': escapeHtml(appConfig().name),
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
