import { expect, test } from 'vitest'
import { actionRateLimited, mailRateLimited, passwordRateLimited } from '#guard/rate-limited'

const limited = (seconds: number) => ({ allowed: false, limit: 10, remaining: 0, seconds })

test('names the reason and how long to wait', () => {
  expect(mailRateLimited(limited(60))).toEqual({
    ok: false,
    code: 'rate_limited',
    message: 'Too many emails requested. Try again in a minute.',
    retryAfter: 60,
  })
  expect(passwordRateLimited(limited(61)).message).toBe(
    'Too many attempts. Try again in 2 minutes.',
  )
  expect(actionRateLimited(limited(59)).message).toBe('Too many attempts. Try again in 59 seconds.')
  expect(actionRateLimited(limited(1)).message).toBe('Too many attempts. Try again in a second.')
})
