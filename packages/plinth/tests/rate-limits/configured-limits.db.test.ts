import { afterEach, expect, test } from 'vitest'
import { type Config, configure } from '#config/app-config'
import { isStartupError } from '#config/env'
import { attemptPassword } from '#rate-limits/password-attempts'
import { checkRateLimit, declareLimits } from '#rate-limits/rate-limit'
import { requireKnownLimits } from '#server/start'
import { testDatabase } from '#testing/database/database'

testDatabase()

const limit = (limits: Config['limits']) => configure({ name: 'Test', limits: limits ?? {} })

afterEach(() => limit({}))

test('a limit of src/plinth.config.ts is used instead of the declared one', async () => {
  limit({ rename_book: { times: 1, seconds: 60 } })
  const declared = { times: 5, seconds: 600 }
  expect(await checkRateLimit('rename_book', declared, 'one')).toMatchObject({
    allowed: true,
    limit: 1,
    remaining: 0,
  })
  const refused = await checkRateLimit('rename_book', declared, 'one')
  expect(refused).toMatchObject({ allowed: false, limit: 1 })
  expect(refused.seconds).toBeLessThanOrEqual(60)
  expect(await checkRateLimit('save_book', declared, 'one')).toMatchObject({ limit: 5 })
})

test('failed passwords have limits of that name', async () => {
  limit({ 'failures.account': { times: 2, seconds: 600 } })
  const fail = () =>
    attemptPassword({ ip: '192.0.2.7', device: undefined }, 'a@example.com', async () => undefined)
  for (let failure = 1; failure <= 2; failure += 1)
    expect(await fail()).not.toHaveProperty('refused')
  expect(await fail()).toMatchObject({ refused: { allowed: false, limit: 2 } })
})

test('a misspelled name stops the start', () => {
  declareLimits('rename_book')
  limit({ renam_book: { times: 1, seconds: 60 } })
  const message =
    'src/plinth.config.ts: limits.renam_book is no limit of this app. Did you mean rename_book?'
  expect(requireKnownLimits).toThrow(message)
  expect(requireKnownLimits).toThrow(expect.toSatisfy(isStartupError))
  limit({ rename_book: { times: 1, seconds: 60 }, 'mail.ip.invitation': { times: 1, seconds: 60 } })
  expect(requireKnownLimits).not.toThrow()
})
