import { expect, test, vi } from 'vitest'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

const user = { id: 'user', email: 'user@example.com', name: 'User', role: 'viewer' as const }

/** The expiry of a new session, and after an extension at a later time. */
async function withLifetime(sessionLifetimeMs: { idle: number; absolute: number }) {
  vi.resetModules()
  vi.doMock('#universal/users', async (original) => ({
    ...(await original<object>()),
    sessionLifetimeMs,
  }))
  const { extendedExpiry, initialLifetimeMs } = await import('#auth/sessions/session')
  const authenticated = { authenticatedAt: new Date(0), authenticatedBy: 'password' }
  const session = { id: 'session', user, createdAt: new Date(0), ...authenticated }
  return {
    initialLifetimeMs,
    extend: (now: number, expires = initialLifetimeMs) =>
      extendedExpiry({ ...session, expiresAt: new Date(expires) }, now),
  }
}

test('is extended at most once a day, and never beyond its absolute lifetime', async () => {
  const { initialLifetimeMs, extend } = await withLifetime({
    idle: 30 * dayMs,
    absolute: 90 * dayMs,
  })
  expect(initialLifetimeMs).toBe(30 * dayMs)
  expect(extend(dayMs - 1)).toBeUndefined()
  expect(extend(dayMs)).toBe(31 * dayMs)
  expect(extend(70 * dayMs, 80 * dayMs)).toBe(90 * dayMs)
  expect(extend(88 * dayMs, 89.5 * dayMs)).toBeUndefined()
})

test('is extended before it expires, also if that is in less than a day', async () => {
  const { initialLifetimeMs, extend } = await withLifetime({ idle: 10 * hourMs, absolute: dayMs })
  expect(initialLifetimeMs).toBe(10 * hourMs)
  expect(extend(hourMs - 1)).toBeUndefined()
  expect(extend(hourMs)).toBe(11 * hourMs)
  expect(extend(19 * hourMs, 20 * hourMs)).toBe(dayMs)
})

test('does not last longer than its absolute lifetime', async () => {
  const { initialLifetimeMs } = await withLifetime({ idle: 3 * dayMs, absolute: dayMs })
  expect(initialLifetimeMs).toBe(dayMs)
})
