import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/** Pure values, types and functions without secrets. */
const allowed = [
  'src/core/auth/accounts/fields.ts',
  'src/core/db/embedded/lock.ts',
  'src/core/db/schema.ts',
  'src/core/guard/policy.ts',
  'src/core/mail/parse-message.ts',
]

/** Providers are data without secrets. */
const providers = 'src/core/auth/oauth/providers/'

test('server code imports server-only, so that the build keeps it out of the browser', async () => {
  const serverCode =
    /^src\/core\/(audit|auth|db|guard|mail|rate-limits)\/|^src\/app\/\([^)]+\)\/data(\/|\.ts$)/
  const files = (await sourcesOf('.')).filter(
    (path) => serverCode.test(path) && !path.includes('/tests/'),
  )
  expect(files.length).toBeGreaterThan(60)
  const unmarked = files.filter(
    (path) =>
      !readFileSync(path, 'utf8').includes(`import 'server-only'`) &&
      !allowed.includes(path) &&
      !path.startsWith(providers),
  )
  expect(unmarked).toEqual([])
})
