import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/**
 * The server and Next are bundled apart and run in one process, so each holds its own copy of every
 * class. An error made by one is no instance of the other's class: recognize it by its name or shape.
 * Globals exist once.
 */
function sharedClassesIn(source: string): string[] {
  const classes = [...source.matchAll(/\binstanceof\s+([\w.]+)/g)].map(([, name = '']) => name)
  return classes.filter((name) => !(name in globalThis) || importsOrDeclares(source, name))
}

function importsOrDeclares(source: string, name: string): boolean {
  return new RegExp(`\\bclass ${name}\\b|import[^'"]*\\b${name}\\b[^'"]*from`).test(source)
}

test('nothing is tested with instanceof against a class that both bundles hold', async () => {
  const sources = (await sourcesOf('.')).filter((path) => !path.includes('/tests/'))
  expect(sources.length).toBeGreaterThan(200)
  const found = sources.flatMap((path) =>
    sharedClassesIn(readFileSync(path, 'utf8')).map((name) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

test('such a test is found, and one against a global is not', () => {
  const own = `import { Problem } from '@/core/http/problem'\nif (error instanceof Problem) throw error`
  expect(sharedClassesIn(own)).toEqual(['Problem'])
  expect(sharedClassesIn(`class Undone {}\nerror instanceof Undone`)).toEqual(['Undone'])
  expect(sharedClassesIn(`class Request {}\nthing instanceof Request`)).toEqual(['Request'])
  expect(sharedClassesIn('error instanceof Error && form instanceof FormData')).toEqual([])
})
