import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeOf } from '../../scripts/check/imports.mjs'

/** Where `download` of a declaration becomes the header, and where OpenAPI describes it. */
const attachmentSources = [
  'packages/plinth/src/api/openapi/document.ts',
  'packages/plinth/src/guard/route.ts',
  // The header of a part of a form.
  'packages/plinth/src/server/pages/multipart.ts',
]

test('the engine makes attachments only of routes that declare a download', async () => {
  const sources = (await codeOf('.')).filter((path) => path.startsWith('packages/'))
  const mentions = sources.filter((path) =>
    /content-disposition|\battachment\b/i.test(readFileSync(path, 'utf8')),
  )
  expect(mentions.sort()).toEqual(attachmentSources)
})
