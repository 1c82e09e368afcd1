import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { modules } from '@/modules'

const readMes = ['README.md', ...modules.map(({ id }) => `src/app/(${id})/README.md`)].filter(
  (path) => existsSync(path),
)

const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name))

/** Where the links of a document lead that stay in the tree. */
function linksOf(document: string): string[] {
  const links = readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?:|#)/.test(link))
    .map((link) => join(dirname(document), link.split('#')[0] ?? ''))
}

test.each([...readMes, ...documents])('the links of %s lead somewhere', (path) => {
  expect(linksOf(path).filter((link) => !existsSync(link))).toEqual([])
})

test('what is true of every application links to no module, which may be absent', () => {
  const links = documents.flatMap(linksOf)
  expect(links.length).toBeGreaterThan(3)
  expect(links.filter((link) => /^src\/app\/\((?!auth\))/.test(link))).toEqual([])
})
