import { expect, test } from 'vitest'
import { extendedExpiry, initialLifetimeMs } from '#auth/sessions/session'
import { type Config, configure } from '#config/app-config'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

const user = { id: 'user', email: 'user@example.com', name: 'User', role: 'viewer' as const }

/** The expiry of a new session, and after an extension at a later time. */
function withLifetime(sessions: NonNullable<Config['sessions']>) {
  configure({ name: 'Test', sessions })
  const authenticated = { authenticatedAt: new Date(0), authenticatedBy: 'password' }
  const session = { id: 'session', user, createdAt: new Date(0), ...authenticated }
  const initial = initialLifetimeMs()
  return {
    initial,
    extend: (now: number, expires = initial) =>
      extendedExpiry({ ...session, expiresAt: new Date(expires) }, now),
  }
}

test('is extended at most once a day, and never beyond its absolute lifetime', () => {
  const { initial, extend } = withLifetime({
    idle: '30 days',
    absolute: '90 days',
  })
  expect(initial).toBe(30 * dayMs)
  expect(extend(dayMs - 1)).toBeUndefined()
  expect(extend(dayMs)).toBe(31 * dayMs)
  expect(extend(70 * dayMs, 80 * dayMs)).toBe(90 * dayMs)
  expect(extend(88 * dayMs, 89.5 * dayMs)).toBeUndefined()
})

test('is extended before it expires, also if that is in less than a day', () => {
  const { initial, extend } = withLifetime({ idle: '10 hours', absolute: '1 day' })
  expect(initial).toBe(10 * hourMs)
  expect(extend(hourMs - 1)).toBeUndefined()
  expect(extend(hourMs)).toBe(11 * hourMs)
  expect(extend(19 * hourMs, 20 * hourMs)).toBe(dayMs)
})

test('does not last longer than its absolute lifetime', () => {
  const { initial } = withLifetime({ idle: '3 days', absolute: '1 day' })
  expect(initial).toBe(dayMs)
})
