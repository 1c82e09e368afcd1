import { expect, test, vi } from 'vitest'
import { extendedExpiry, newExpiry } from '@/core/auth/sessions/lifetime'
import { sessionLifetimeMs } from '@/core/config/session-lifetime'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

test('a session lasts 30 days after its last extension and 90 days in all', () => {
  expect(sessionLifetimeMs).toEqual({ idle: 30 * dayMs, absolute: 90 * dayMs })
})

const user = { id: 'user', email: 'user@example.com', name: 'User', role: 'viewer' as const }

/** The gain of an extension this long after sign-in. */
function gainAfter(elapsed: number): number | undefined {
  const createdAt = new Date(0)
  const expiresAt = new Date(newExpiry(0))
  const expiry = extendedExpiry({ id: 'session', user, createdAt, expiresAt }, elapsed)
  return expiry && expiry - expiresAt.getTime()
}

test('a session is extended at most once a day', () => {
  expect(gainAfter(dayMs - 1)).toBeUndefined()
  expect(gainAfter(dayMs)).toBe(dayMs)
})

test('a short session is extended too, before it expires', async () => {
  vi.resetModules()
  vi.doMock('@/core/config/session-lifetime', () => ({
    sessionLifetimeMs: { idle: 10 * hourMs, absolute: 24 * hourMs },
  }))
  const short = await import('@/core/auth/sessions/lifetime')
  const session = {
    id: 'session',
    user,
    createdAt: new Date(0),
    expiresAt: new Date(short.newExpiry(0)),
  }
  expect(short.extendedExpiry(session, hourMs - 1)).toBeUndefined()
  expect(short.extendedExpiry(session, 5 * hourMs)).toBe(15 * hourMs)
  expect(short.extendedExpiry({ ...session, expiresAt: new Date(20 * hourMs) }, 19 * hourMs)).toBe(
    24 * hourMs,
  )
})
