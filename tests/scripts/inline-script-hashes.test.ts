import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  hashesIn,
  routeOf,
  writePrerendered,
} from '../../packages/plinth/scripts/build/manifests.mjs'
import { temporaryFolder } from './support/project'

test('hashes each inline script, whatever its attributes', () => {
  const html = `<script>a()</script><script id="x" data-y='>' async>b("\\u003c/p>")</script>
    <SCRIPT type="module">c()</SCRIPT ><script></script>`
  expect(hashesIn(html)).toEqual(['a()', 'b("\\u003c/p>")', 'c()', ''].map(hashOf))
})

test('does not hash scripts with a src', () => {
  expect(hashesIn('<script src="/a.js"></script><script async src=/b.js></script>')).toEqual([])
  expect(hashesIn('<script data-src="/a.js">a()</script>')).toEqual([hashOf('a()')])
})

test('lists a repeated script once', () => {
  expect(hashesIn('<script>a()</script><script>a()</script>')).toEqual([hashOf('a()')])
})

test('normalizes line breaks before hashing, as browsers do', () => {
  expect(hashesIn('<script>a()\r\nb()</script>')).toEqual([hashOf('a()\nb()')])
})

test.each([
  ['index.html', '/'],
  ['start.html', '/start'],
  ['_not-found.html', '/_not-found'],
  ['docs/first.html', '/docs/first'],
])('maps %s to the page %s', (name, route) => {
  expect(routeOf(name)).toBe(route)
})

type Build = { html: Record<string, string>; pages: string[]; revalidate?: string }

/** The part of the output of `next build` that the script reads. */
function writeBuild({ html, pages, revalidate }: Build): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(html)) {
    mkdirSync(dirname(join(folder, 'server/app', name)), { recursive: true })
    writeFileSync(join(folder, 'server/app', name), text)
  }
  const routes = revalidate ? { [revalidate]: { initialRevalidateSeconds: 60 } } : {}
  writeFileSync(join(folder, 'prerender-manifest.json'), JSON.stringify({ routes }))
  const manifest = Object.fromEntries(pages.map((page) => [`${page}/page`, page]))
  writeFileSync(join(folder, 'app-path-routes-manifest.json'), JSON.stringify(manifest))
  return folder
}

async function prerendered(build: Build): Promise<Record<string, string[]>> {
  const folder = writeBuild(build)
  await writePrerendered(folder, join(folder, 'prerendered.json'))
  return JSON.parse(readFileSync(join(folder, 'prerendered.json'), 'utf8'))
}

const start = { 'start.html': '<script>a()</script>' }

test('lists every prerendered page, including pages without scripts', async () => {
  const html = { ...start, 'docs/first.html': '<p>', 'start.rsc': '<script>no()</script>' }
  expect(await prerendered({ html, pages: ['/', '/start', '/docs/first'] })).toEqual({
    '/docs/first': [],
    '/start': [hashOf('a()')],
  })
})

test('maps the root to the start page only if no module has a root page', async () => {
  expect(await prerendered({ html: start, pages: ['/start'] })).toHaveProperty('/')
  expect(await prerendered({ html: start, pages: ['/', '/start'] })).not.toHaveProperty('/')
  const own = { ...start, 'index.html': '<script>b()</script>' }
  expect((await prerendered({ html: own, pages: ['/', '/start'] }))['/']).toEqual([hashOf('b()')])
})

test('fails the build if a page is revalidated', async () => {
  const attempt = prerendered({ html: start, pages: ['/start'], revalidate: '/start' })
  await expect(attempt).rejects.toThrow('Content-Security-Policy: /start')
})

function hashOf(text: string) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
