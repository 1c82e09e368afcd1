import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appFolder } from '#config/app-folder'
import { withSiteTags } from '#http/site-tags'
import { acceptsGzip, nextHeader, type Render, sendPage } from '#server/pages/render-cache'

/**
 * Prerendered pages with the tags that need AUTH_URL, kept in memory. Next still responds to its
 * client, which asks for parts of pages. The inline scripts stay the same, and so do their hashes.
 */
export function servePrerendered(
  render: Render,
  paths: readonly string[],
  authUrl: string,
): Render {
  const pages = new Map(
    // Next's own pages for errors have a path that starts with an underscore.
    paths.filter((path) => !path.startsWith('/_')).map((path) => [path, readPage(path, authUrl)]),
  )
  return async (request, response) => {
    const { method = '', url = '/', headers } = request
    const page = pages.get(url.split('?', 1)[0] ?? '/')
    const isDocument = method === 'GET' || method === 'HEAD'
    if (!page || !isDocument || Object.keys(headers).some((name) => nextHeader.test(name))) {
      return render(request, response)
    }
    if (headers['if-none-match'] === page.headers.etag) response.writeHead(304, page.headers).end()
    else await sendPage(response, page, acceptsGzip(request))
  }
}

function readPage(path: string, authUrl: string) {
  const url = new URL(path === startPage ? '/' : path, authUrl).href
  const body = Buffer.from(withSiteTags(readHtml(path), url))
  return { body, headers: { ...sharedHeaders, etag: etagOf(body) } }
}

/** Also served at the root if no module has a page there. */
const startPage = '/start'

function readHtml(path: string): string {
  const folder = join(appFolder(), '.next/server/app')
  const read = (name: string) => readFileSync(join(folder, `${name}.html`), 'utf8')
  if (path !== '/') return read(path)
  try {
    return read('index')
  } catch {
    return read(startPage)
  }
}

/** As Next sends them. */
const sharedHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 's-maxage=31536000',
  vary: 'rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, Accept-Encoding',
}

/** Weak, because the body may be compressed. */
function etagOf(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}
