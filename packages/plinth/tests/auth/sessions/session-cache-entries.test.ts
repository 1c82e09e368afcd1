import { expect, test } from 'vitest'
import { CacheEntries } from '#auth/sessions/cache-entries'
import type { CachedSession } from '#auth/sessions/read'

function cached(id: string, userId = 'user-1', validUntil = 1_000): CachedSession {
  return {
    session: {
      id,
      user: { id: userId, email: `${userId}@example.com`, name: userId, role: 'viewer' },
      createdAt: new Date(0),
      expiresAt: new Date(0),
      authenticatedAt: new Date(),
      authenticatedBy: 'password',
    },
    validUntil,
    extendFrom: Number.POSITIVE_INFINITY,
  }
}

function entriesWith(max: number, ...sessions: CachedSession[]): CacheEntries {
  const entries = new CacheEntries(max)
  for (const entry of sessions) entries.put(entry.session.id, entry, entries.generation)
  return entries
}

test('returns a session until it is no longer valid', () => {
  const entries = entriesWith(10, cached('one'))
  expect(entries.get('one', 999)?.session).toMatchObject({ id: 'one', user: { id: 'user-1' } })
  expect(entries.get('one', 1_000)).toBeUndefined()
  expect(entries.size).toBe(0)
})

test('evicts the least recently used session', () => {
  const entries = entriesWith(3, cached('one'), cached('two'), cached('three'))
  entries.get('one', 0)
  entries.put('four', cached('four'), entries.generation)
  expect(entries.size).toBe(3)
  expect(entries.get('two', 0)).toBeUndefined()
  expect(entries.get('one', 0)).toBeDefined()
})

test('invalidates one session, all sessions of a user, or everything', () => {
  const entries = entriesWith(
    10,
    cached('one'),
    cached('two'),
    cached('three', 'user-2'),
    cached('four', 'user-3'),
  )
  entries.invalidateSession('one')
  expect(entries.get('one', 0)).toBeUndefined()
  entries.invalidateUser('user-1')
  expect(entries.get('two', 0)).toBeUndefined()
  expect(entries.get('three', 0)).toBeDefined()
  entries.invalidateAll()
  expect(entries.size).toBe(0)
})

test.each([
  ['a session', (entries: CacheEntries) => entries.invalidateSession('one')],
  ['a user', (entries: CacheEntries) => entries.invalidateUser('user-1')],
  ['everything', (entries: CacheEntries) => entries.invalidateAll()],
])('ignores a session that was read before %s was invalidated', (_, invalidate) => {
  const entries = new CacheEntries(10)
  const { generation } = entries
  invalidate(entries)
  entries.put('one', cached('one'), generation)
  expect(entries.get('one', 0)).toBeUndefined()
})

test('keeps one entry for a session that is put twice', () => {
  const entries = entriesWith(10, cached('one'), cached('one'))
  expect(entries.size).toBe(1)
  entries.invalidateUser('user-1')
  expect(entries.size).toBe(0)
})

test('keeps the other sessions of a user when one is invalidated', () => {
  const entries = entriesWith(10, cached('one'), cached('two'))
  entries.invalidateSession('one')
  expect(entries.get('two', 0)).toBeDefined()
  entries.put('three', cached('three'), entries.generation)
  entries.invalidateUser('user-1')
  expect(entries.size).toBe(0)
})

test.each<[string, (entries: CacheEntries) => void]>([
  ['expiry', (entries) => entries.get('one', 1_000)],
  ['eviction', (entries) => entries.put('two', cached('two', 'user-2'), entries.generation)],
  ['invalidation', (entries) => entries.invalidateSession('one')],
])('removes a session from both indexes on %s', (_, remove) => {
  const entries = entriesWith(1, cached('one'))
  remove(entries)
  expect(entries.get('one', 0)).toBeUndefined()
  // A stale index entry would remove the session that has the key now.
  entries.invalidateAll()
  entries.put('one', cached('new', 'user-3'), entries.generation)
  entries.invalidateSession('one')
  entries.invalidateUser('user-1')
  expect(entries.get('one', 0)?.session.id).toBe('new')
})

test('removes a session from both indexes when another session replaces it', () => {
  const entries = entriesWith(10, cached('one'))
  entries.put('one', cached('new', 'user-2'), entries.generation)
  entries.invalidateSession('one')
  entries.invalidateUser('user-1')
  expect(entries.get('one', 0)?.session.id).toBe('new')
})
