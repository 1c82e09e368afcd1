import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/**
 * The server and Next are bundled separately and run in one process, so each has its own copy of
 * every class. An error of one bundle is no instance of the other's class: check its name or shape.
 */
function sharedClassesIn(source: string): string[] {
  const classes = [...source.matchAll(/\binstanceof\s+([\w.]+)/g)].map(([, name = '']) => name)
  return classes.filter((name) => !(name in globalThis) || importsOrDeclares(source, name))
}

function importsOrDeclares(source: string, name: string): boolean {
  return new RegExp(`\\bclass ${name}\\b|import[^'"]*\\b${name}\\b[^'"]*from`).test(source)
}

test('no instanceof check uses a class that both bundles contain', async () => {
  const sources = (await sourcesOf('.')).filter((path) => !path.includes('/tests/'))
  expect(sources.length).toBeGreaterThan(200)
  const found = sources.flatMap((path) =>
    sharedClassesIn(readFileSync(path, 'utf8')).map((name) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

test('reports own and imported classes, not globals', () => {
  const own = `import { Problem } from '@/core/http/problems'\nif (error instanceof Problem) throw error`
  expect(sharedClassesIn(own)).toEqual(['Problem'])
  expect(sharedClassesIn(`class RolledBack {}\nerror instanceof RolledBack`)).toEqual([
    'RolledBack',
  ])
  expect(sharedClassesIn(`class Request {}\nthing instanceof Request`)).toEqual(['Request'])
  expect(sharedClassesIn('error instanceof Error && form instanceof FormData')).toEqual([])
})
