import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routesOf } from '@/api'
import { modules } from '@/modules'
import { sourcesOf } from '../../scripts/check/imports.mjs'

async function sourcesWhere(pattern: RegExp): Promise<{ path: string; text: string }[]> {
  const paths = (await sourcesOf('.')).filter((path) => pattern.test(path))
  return paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

test('every page says who may see it', async () => {
  const pages = await sourcesWhere(/^src\/app\/.*\/?page\.tsx$/)
  expect(pages.length).toBeGreaterThan(5)
  const undeclared = pages
    .filter(({ text }) => !/^export default (page|publicPage)\(/m.test(text))
    .map(({ path }) => path)
  expect(undeclared).toEqual([])
})

test('every page says where it is', async () => {
  for (const { path, text } of await sourcesWhere(/^src\/app\/.*\/?page\.tsx$/)) {
    const address = path
      .replace(/^src\/app/, '')
      .replace(/\/\([^)]+\)/g, '')
      .replace(/\/page\.tsx$/, '')
    expect(text, path).toContain(`path: '${address || '/'}'`)
  }
})

test('every server action says who may call it', async () => {
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

test('no other address is answered: handlers of Next beside the pages', async () => {
  const handlers = await sourcesWhere(/^src\/app\/.*route\.tsx?$/)
  expect(handlers.map(({ path }) => path)).toEqual(['src/app/api/[[...path]]/route.ts'])
})

test('every route of the interface says who may use it', () => {
  for (const { declaration } of routesOf(modules)) {
    expect(declaration.who, declaration.path).toBeTypeOf('function')
  }
})

test('no two actions or pages have one name in the trail', async () => {
  const pages = await sourcesWhere(/^src\/app\/.*\/?page\.tsx$/)
  const names = pages.flatMap(({ text }) => [
    ...text.matchAll(/\bname: '(\w+)',\s+(?:path|who)\b/g),
  ])
  const found = names.map(([, name]) => name)
  const guarded = pages.filter(({ text }) => /^export default page\(/m.test(text))
  expect(found).toHaveLength(guarded.length)
  expect(new Set(found).size).toBe(found.length)
})
