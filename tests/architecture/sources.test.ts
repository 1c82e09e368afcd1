import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sourceFiles } from 'plinth/testing'
import { isSecretName } from 'plinth/universal/secret-names'
import { expect, test } from 'vitest'
import { modules } from '@/modules'

/** A component must not make these calls: a render cache would show the result until its data changes. */
const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\bperformance\.now\(/

const rendered = sourceFiles().filter(
  (path) => /^src\/(ui\/|app\/.*\/ui\/)/.test(path) && path.endsWith('.tsx'),
)

test('no component reads the clock or random numbers', () => {
  expect(rendered.length).toBeGreaterThan(20)
  expect(rendered.filter((path) => impure.test(readFileSync(path, 'utf8')))).toEqual([])
})

test('no component reads cookies or headers', () => {
  const imports = /from 'next\/headers'/
  expect(rendered.filter((path) => imports.test(readFileSync(path, 'utf8')))).toEqual([])
})

/** The names of the password fields that a source renders. A name that is no text is undefined. */
function passwordFields(source: string): (string | undefined)[] {
  const elements = source.match(/<(PasswordField|\w+[^<>]*?\btype="password")[\s\S]*?\/>/g) ?? []
  return elements.map((element) => /\bname="([^"]+)"/.exec(element)?.[1])
}

test('every password field has a name by which its text is recognized as secret', () => {
  const sources = sourceFiles().filter((path) => path.endsWith('.tsx'))
  const names = sources.flatMap((path) => passwordFields(readFileSync(path, 'utf8')))
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => name === undefined || !isSecretName(name))).toEqual([])
})

test('a password field with another name, or a computed one, is found', () => {
  expect(passwordFields('<PasswordField label="Word" name="word" />')).toEqual(['word'])
  expect(passwordFields('<input type="password" name="word" />')).toEqual(['word'])
  expect(passwordFields('<PasswordField {...field} />')).toEqual([undefined])
})

test('data of modules imports server-only, so that the build keeps it out of the browser', () => {
  const data = sourceFiles().filter((path) => /^src\/app\/\([^)]+\)\/data(\/|\.ts$)/.test(path))
  expect(data.length).toBeGreaterThan(3)
  const unmarked = data.filter(
    (path) => !readFileSync(path, 'utf8').includes(`import 'server-only'`),
  )
  expect(unmarked).toEqual([])
})

test('only the `download` of a route makes a response an attachment', () => {
  const mentions = sourceFiles()
    .filter((path) => !path.includes('/tests/'))
    .filter((path) => /content-disposition|\battachment\b/i.test(readFileSync(path, 'utf8')))
  expect(mentions).toEqual([])
})

const readmes = [
  'packages/plinth/README.md',
  'README.md',
  'AGENTS.md',
  ...modules.map(({ id }) => `src/app/(${id})/README.md`),
].filter((path) => existsSync(path))

/** The relative links of a document. */
function linksOf(document: string): string[] {
  const links = readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?:|#)/.test(link))
    .map((link) => join(dirname(document), link.split('#')[0] ?? ''))
}

test.each(readmes)('all relative links of %s exist', (path) => {
  expect(linksOf(path).filter((link) => !existsSync(link))).toEqual([])
})
