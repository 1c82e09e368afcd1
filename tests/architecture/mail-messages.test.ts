import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

const messages = /^src\/(core\/mail\/messages|app\/\([^)]+\)\/mail)\//

test('messages are imported dynamically, because their renderer is slow to load', async () => {
  const paths = (await sourcesOf('.')).filter(
    (path) => !messages.test(path) && !path.includes('/tests/'),
  )
  expect(paths.length).toBeGreaterThan(100)
  const importsMessage =
    /^(import|export) (?!type)[^'"]*from '(@react-email\/|@\/core\/mail\/messages\/|(\.\.?\/)+mail\/)/m
  const loading = paths.filter((path) => importsMessage.test(readFileSync(path, 'utf8')))
  expect(loading).toEqual([])
})
