import { expect, test } from 'vitest'
import { withSiteTags } from '#http/site-tags'
import { config } from '@/plinth.config'

const url = 'https://app.example.com/notes/1'

function pageWith(head: string): string {
  return `<!doctype html><html><head>${head}</head><body></head></body></html>`
}

test('adds the canonical URL and Open Graph with the title and description of the page', () => {
  const head =
    '<title>A &amp; "B"</title><meta name="description" content="It&#x27;s &quot;C&quot;"/>'
  expect(withSiteTags(pageWith(head), url)).toBe(
    pageWith(
      [
        head,
        '<link rel="canonical" href="https://app.example.com/notes/1"/>',
        '<meta property="og:type" content="website"/>',
        `<meta property="og:site_name" content="${config.name}"/>`,
        '<meta property="og:title" content="A &amp; &quot;B&quot;"/>',
        '<meta property="og:description" content="It&#x27;s &quot;C&quot;"/>',
        '<meta property="og:url" content="https://app.example.com/notes/1"/>',
        '<meta property="og:image" content="https://app.example.com/opengraph-image.png"/>',
        '<meta name="twitter:card" content="summary_large_image"/>',
      ].join(''),
    ),
  )
})

test('a path with markup stays within its attribute', () => {
  const tagged = withSiteTags(pageWith(''), 'https://app.example.com/"><script>')
  expect(tagged).not.toContain('<script>')
})

test.each([
  '<meta name="robots" content="noindex, nofollow"/>',
  '<link rel="canonical" href="https://app.example.com/own"/>',
  '<meta property="og:title" content="Own"/>',
])('leaves a page with %s as it is', (tag) => {
  expect(withSiteTags(pageWith(tag), url)).toBe(pageWith(tag))
})

test('leaves a response without a head as it is', () => {
  expect(withSiteTags('0:{"text":"<title>"}', url)).toBe('0:{"text":"<title>"}')
})
