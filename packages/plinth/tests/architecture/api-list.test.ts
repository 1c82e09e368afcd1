import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const list = readFileSync('packages/plinth/api.md', 'utf8')
const { exports } = JSON.parse(readFileSync('packages/plinth/package.json', 'utf8'))

/** The listed names of a path. */
function listedNames(path: string): string[] {
  const section = list.split(/^## /m).find((text) => text.startsWith(`${path}\n`)) ?? ''
  return [...section.matchAll(/^- `(\w+)`/gm)].map(([, name = '']) => name)
}

test('the list has a section for each exported path', () => {
  const sections = [...list.matchAll(/^## plinth\/(.+)$/gm)].map(([, name]) => `./${name}`)
  expect(sections.sort()).toEqual(Object.keys(exports).sort())
})

const loaded = {
  'plinth/db/list': import('#db/list'),
  'plinth/guard/mutation': import('#guard/mutation'),
  'plinth/guard/page': import('#guard/page'),
  'plinth/testing': import('#testing/index'),
  'plinth/universal/users': import('#universal/users'),
}

test.each(Object.entries(loaded))('lists every name that %s exports', async (path, module) => {
  const exported = Object.keys(await module)
  expect(exported.length).toBeGreaterThan(0)
  expect(exported.filter((name) => !listedNames(path).includes(name))).toEqual([])
})

test('describes a name by the first sentence of its comment', () => {
  expect(list).toMatch(/^- `record`: In the transaction that it describes, so that .+\.$/m)
})
