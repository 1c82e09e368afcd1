import { expect, test } from 'vitest'
import { AuthorityCache } from '@/core/auth/authority/cache'
import { Known } from '@/core/auth/authority/known'

const known = (session: string, person = 'ada', remaining = 1_000): Known =>
  new Known(
    {
      id: session,
      userId: person,
      email: `${person}@example.com`,
      name: person,
      role: 'viewer',
      created: 0,
      expires: 0,
      remaining,
    },
    0,
  )

function filled(most: number, ...sessions: Known[]): AuthorityCache {
  const cache = new AuthorityCache(most)
  for (const session of sessions) cache.put(session.id, session, cache.generation)
  return cache
}

test('what was put is there, until its time is over', () => {
  const cache = filled(10, known('one'))
  expect(cache.get('one', 999)?.session).toMatchObject({ id: 'one', user: { id: 'ada' } })
  expect(cache.get('one', 1_000)).toBeUndefined()
  expect(cache.size).toBe(0)
})

test('so many and no more: the longest unused goes', () => {
  const cache = filled(3, known('one'), known('two'), known('three'))
  cache.get('one', 0)
  cache.put('four', known('four'), cache.generation)
  expect(cache.size).toBe(3)
  expect(cache.get('two', 0)).toBeUndefined()
  expect(cache.get('one', 0)).toBeDefined()
})

test('a session is forgotten, a person with all of theirs, and everything', () => {
  const cache = filled(10, known('one'), known('two'), known('three', 'bob'), known('four', 'eve'))
  cache.forgetSession('one')
  expect(cache.get('one', 0)).toBeUndefined()
  cache.forgetPerson('ada')
  expect(cache.get('two', 0)).toBeUndefined()
  expect(cache.get('three', 0)).toBeDefined()
  cache.forgetAll()
  expect(cache.size).toBe(0)
})

test.each([
  ['a session', (cache: AuthorityCache) => cache.forgetSession('one')],
  ['a person', (cache: AuthorityCache) => cache.forgetPerson('ada')],
  ['everything', (cache: AuthorityCache) => cache.forgetAll()],
])('what was read before %s was forgotten is not kept', (_, forget) => {
  const cache = new AuthorityCache(10)
  const { generation } = cache
  forget(cache)
  cache.put('one', known('one'), generation)
  expect(cache.get('one', 0)).toBeUndefined()
})

test('a session that is put again takes one place', () => {
  const cache = filled(10, known('one'), known('one'))
  expect(cache.size).toBe(1)
  cache.forgetPerson('ada')
  expect(cache.size).toBe(0)
})

test('of the sessions of one person the others stay when one goes', () => {
  const cache = filled(10, known('one'), known('two'))
  cache.forgetSession('one')
  expect(cache.get('two', 0)).toBeDefined()
  cache.put('three', known('three'), cache.generation)
  cache.forgetPerson('ada')
  expect(cache.size).toBe(0)
})
