import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { modules } from '@/modules'

const readmes = [
  'README.md',
  'AGENTS.md',
  ...modules.map(({ id }) => `src/app/(${id})/README.md`),
].filter((path) => existsSync(path))

const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name))

/** The relative links of a document. */
function linksOf(document: string): string[] {
  const links = readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?:|#)/.test(link))
    .map((link) => join(dirname(document), link.split('#')[0] ?? ''))
}

test.each([...readmes, ...documents])('all relative links of %s exist', (path) => {
  expect(linksOf(path).filter((link) => !existsSync(link))).toEqual([])
})

test('documents of every app link to no module, which may be absent', () => {
  const links = documents.flatMap(linksOf)
  expect(links.length).toBeGreaterThan(3)
  expect(links.filter((link) => /^src\/app\/\((?!auth\))/.test(link))).toEqual([])
})
