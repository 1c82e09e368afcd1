import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const folder = 'packages/plinth/docs'

const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
)

/** Recipes and the tutorial name the files that they create. */
const aboutExisting = documents.filter((name) => !/^(recipes\/|tutorial\.md)/.test(name))

const ofRepository =
  /^(src|tests|packages|scripts|cli|bench|attack|cluster|mutation|public|deploy)\//

function pathsIn(text: string): string[] {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .map((word) => word.replace(/[:#].*$/, ''))
    .filter((path) => ofRepository.test(path) && !/[<*{…]|\(name\)/.test(path))
}

test('every path that a guide or a decision names exists', () => {
  const named = aboutExisting.flatMap((name) =>
    pathsIn(readFileSync(join(folder, name), 'utf8')).map((path) => ({ name, path })),
  )
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ path }) => !existsSync(path))).toEqual([])
})

/** The relative links of a document. */
function linksOf(name: string): string[] {
  const path = join(folder, name)
  const links = readFileSync(path, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?:|#)/.test(link))
    .map((link) => join(dirname(path), link.split('#')[0] ?? ''))
}

test.each(documents)('all relative links of %s exist', (name) => {
  expect(linksOf(name).filter((link) => !existsSync(link))).toEqual([])
})

test('guides link to no module, which may be absent from an app', () => {
  const links = documents.flatMap(linksOf)
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((link) => /^src\/app\/\((?!auth\))/.test(link))).toEqual([])
})
