import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routesOf } from '@/api'
import { modules } from '@/modules'
import { sourcesOf } from '../../scripts/check/imports.mjs'

async function sourcesWhere(pattern: RegExp): Promise<{ path: string; text: string }[]> {
  const paths = (await sourcesOf('.')).filter((path) => pattern.test(path))
  return paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

test('every page is declared with page or publicPage', async () => {
  const pages = await sourcesWhere(/^src\/app\/(.*\/)?page\.tsx$/)
  expect(pages.length).toBeGreaterThan(5)
  const undeclared = pages
    .filter(({ text }) => !/^export default (page|publicPage)\(/m.test(text))
    .map(({ path }) => path)
  expect(undeclared).toEqual([])
})

test('every page declares its own path', async () => {
  for (const { path, text } of await sourcesWhere(/^src\/app\/(.*\/)?page\.tsx$/)) {
    const url = path
      .replace(/^src\/app/, '')
      .replace(/\/\([^)]+\)/g, '')
      .replace(/\/page\.tsx$/, '')
    expect(text, path).toContain(`path: '${url || '/'}'`)
  }
})

test('every server action is declared with action', async () => {
  const files = (await sourcesWhere(/^src\/.*\.tsx?$/)).filter(({ text }) =>
    /^\s*['"]use server['"]/m.test(text),
  )
  expect(files.length).toBeGreaterThan(0)
  for (const { path, text } of files) {
    expect(text, path).toMatch(/^'use server'/)
    const exported = [...text.matchAll(/^export (.*)$/gm)].map(([, rest = '']) => rest)
    expect(exported.length, path).toBeGreaterThan(0)
    for (const line of exported) expect(line, path).toMatch(/^const \w+ = action\($/)
  }
})

test('the API is the only route handler of Next', async () => {
  const handlers = await sourcesWhere(/^src\/app\/.*route\.tsx?$/)
  expect(handlers.map(({ path }) => path)).toEqual(['src/app/api/[[...path]]/route.ts'])
})

test('every API route declares authorize', () => {
  for (const { declaration } of routesOf(modules)) {
    expect(declaration.authorize, declaration.path).toBeTypeOf('function')
  }
})

test('page names in the audit log are unique', async () => {
  const pages = await sourcesWhere(/^src\/app\/(.*\/)?page\.tsx$/)
  const names = pages.flatMap(({ text }) => [
    ...text.matchAll(/\bname: '(\w+)',\s+(?:path|authorize)\b/g),
  ])
  const found = names.map(([, name]) => name)
  const guarded = pages.filter(({ text }) => /^export default page\(/m.test(text))
  expect(found).toHaveLength(guarded.length)
  expect(new Set(found).size).toBe(found.length)
})
