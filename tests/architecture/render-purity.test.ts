import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/** What a component must not read: a page with a render cache would show it until its data changes. */
const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\bperformance\.now\(/

const rendered = (await sourcesOf('.')).filter(
  (path) => /^src\/core\/(ui|layout)\/|^src\/app\/.*\/ui\//.test(path) && path.endsWith('.tsx'),
)

test('no component reads the clock or random numbers', () => {
  expect(rendered.length).toBeGreaterThan(60)
  expect(rendered.filter((path) => impure.test(readFileSync(path, 'utf8')))).toEqual([])
})

test('no component reads cookies or headers', () => {
  const imports = /from 'next\/headers'/
  expect(rendered.filter((path) => imports.test(readFileSync(path, 'utf8')))).toEqual([])
})
