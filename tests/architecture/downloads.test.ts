import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/** Where `download` of a declaration becomes the header, and where OpenAPI describes it. */
const allowed = ['src/core/guard/route.ts', 'src/core/api/openapi/operation.ts']

test('only the `download` of a route makes a response an attachment', async () => {
  const sources = (await sourcesOf('.')).filter((path) => /^src\/(?!.*\/tests\/)/.test(path))
  const mentions = sources.filter((path) =>
    /content-disposition|\battachment\b/i.test(readFileSync(path, 'utf8')),
  )
  expect(mentions.sort()).toEqual([...allowed].sort())
})
