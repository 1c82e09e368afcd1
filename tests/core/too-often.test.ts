import { expect, test } from 'vitest'
import { askedTooOften, wrongTooOften } from '@/core/guard/too-often'

const refused = (seconds: number) => ({ allowed: false, limit: 10, remaining: 0, seconds })

test('says what was too often, and how many minutes to wait', () => {
  expect(askedTooOften(refused(60))).toEqual({
    ok: false,
    code: 'rate_limited',
    message: 'Mail was asked for too often. Try again in a minute.',
  })
  expect(wrongTooOften(refused(61)).message).toBe(
    'A wrong password was given too often. Try again in 2 minutes.',
  )
})
