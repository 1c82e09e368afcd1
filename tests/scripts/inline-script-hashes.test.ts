import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  hashesIn,
  routeOf,
  writeInlineScriptHashes,
} from '../../scripts/build/inline-script-hashes.mjs'
import { temporaryFolder } from './support/project'

test('each inline script is hashed, whatever its attributes', () => {
  const html = `<script>a()</script><script id="x" data-y='>' async>b("\\u003c/p>")</script>
    <SCRIPT type="module">c()</SCRIPT ><script></script>`
  expect(hashesIn(html)).toEqual(['a()', 'b("\\u003c/p>")', 'c()', ''].map(hashOf))
})

test('scripts with a source are left to the policy', () => {
  expect(hashesIn('<script src="/a.js"></script><script async src=/b.js></script>')).toEqual([])
  expect(hashesIn('<script data-src="/a.js">a()</script>')).toEqual([hashOf('a()')])
})

test('a script that stands twice is named once', () => {
  expect(hashesIn('<script>a()</script><script>a()</script>')).toEqual([hashOf('a()')])
})

test('line breaks are hashed as a browser sees them', () => {
  expect(hashesIn('<script>a()\r\nb()</script>')).toEqual([hashOf('a()\nb()')])
})

test.each([
  ['index.html', '/'],
  ['start.html', '/start'],
  ['_not-found.html', '/_not-found'],
  ['docs/first.html', '/docs/first'],
])('%s is the page %s', (name, route) => {
  expect(routeOf(name)).toBe(route)
})

test('every prerendered page is in the file, also one without a script', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'start.html'), '<script>a()</script>')
  writeFileSync(join(folder, 'docs', 'first.html'), '<p>')
  writeFileSync(join(folder, 'start.rsc'), '<script>no()</script>')
  const file = join(folder, 'prerendered.json')
  await writeInlineScriptHashes(folder, file)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    '/docs/first': [],
    '/start': [hashOf('a()')],
  })
})

function hashOf(text: string) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
