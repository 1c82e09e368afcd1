import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/** Pure values and types: nothing in them opens or knows anything. */
const harmless = [
  'src/core/auth/callback-url.ts',
  'src/core/auth/cookie-names.ts',
  'src/core/auth/cookie-options.ts',
  'src/core/auth/email.ts',
  'src/core/auth/fields.ts',
  'src/core/auth/password-length.ts',
  'src/core/auth/identity.ts',
  'src/core/auth/roles.ts',
  'src/core/auth/scope.ts',
  'src/core/db/errors.ts',
  'src/core/db/lock.ts',
  'src/core/db/schema.ts',
  'src/core/guard/action-result.ts',
  'src/core/guard/policy.ts',
  'src/core/mail/parse-message.ts',
]

/** What they are, as data: who asks them holds the keys. */
const providers = 'src/core/auth/providers/'

test('what must not reach a browser says so, and then the build refuses it there', async () => {
  const rooms = /^src\/core\/(db|auth|guard|mail)\/|^src\/app\/\([^)]+\)\/data(\/|\.ts$)/
  const files = (await sourcesOf('.')).filter(
    (path) => rooms.test(path) && !path.includes('/tests/'),
  )
  expect(files.length).toBeGreaterThan(8)
  const unmarked = files.filter(
    (path) =>
      !readFileSync(path, 'utf8').includes(`import 'server-only'`) &&
      !harmless.includes(path) &&
      !path.startsWith(providers),
  )
  expect(unmarked).toEqual([])
})
