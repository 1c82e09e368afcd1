import { expect, test } from 'vitest'
import { signInError } from '@/app/(auth)/sign-in/sign-in-parts'

const rateLimited = (retryAt: string | undefined) =>
  signInError({ error: 'rate_limited', code: undefined, retryAt })

const inSeconds = (seconds: number) => String(Date.now() + seconds * 1000)

test('says how long to wait, also for the Auth.js client', () => {
  expect(rateLimited(inSeconds(600))).toBe('Too many attempts. Try again in 10 minutes.')
  expect(rateLimited(inSeconds(-1))).toBe('Too many attempts. You can try again now.')
  expect(
    signInError({ error: 'CredentialsSignin', code: 'rate_limited', retryAt: inSeconds(60) }),
  ).toBe('Too many attempts. Try again in a minute.')
})

test.each([undefined, '', 'soon', '-1', '1e15', inSeconds(7200), '9'.repeat(50)])(
  'does not believe the time %s of the URL',
  (retryAt) => {
    expect(rateLimited(retryAt)).toBe('Too many attempts. Try again in a minute.')
  },
)

test('ignores a time with any other error', () => {
  const error = { error: 'invalid_credentials', code: undefined, retryAt: inSeconds(60) }
  expect(signInError(error)).toBe('The email or password is incorrect.')
})
