import { afterEach, expect, test } from 'vitest'
import { isAdmin, isSignedIn } from '#guard/policy'
import { installModules, searchFor } from '#modules/installed-modules'
import { scopeWithRole } from '#testing/scope'

afterEach(() => installModules([]))

function install() {
  const found = Array.from({ length: 8 }, (_, index) => ({
    href: `/n/${index}`,
    label: `${index}`,
  }))
  installModules([
    {
      id: 'notes',
      navigation: [{ href: '/notes', label: 'Notes', authorize: isSignedIn }],
      pages: [{ href: '/notes/all', label: 'All notes', authorize: isAdmin }],
      search: { title: 'Notes', authorize: isAdmin, find: async () => found },
    },
  ])
}

test('finds pages that the user may open by a part of their name', async () => {
  install()
  const results = async (role: 'viewer' | 'admin', text: string) => {
    const [pages] = await searchFor(scopeWithRole(role), text)
    return pages?.results.map(({ href }) => href)
  }
  expect(await results('viewer', '')).toEqual(['/home', '/notes'])
  expect(await results('viewer', 'NOTE')).toEqual(['/notes'])
  expect(await results('admin', 'note')).toEqual(['/notes', '/notes/all'])
})

test('asks a module only for callers that it allows and only for a text', async () => {
  install()
  const titles = async (role: 'viewer' | 'admin', text: string) =>
    (await searchFor(scopeWithRole(role), text)).map(({ title }) => title)
  expect(await titles('admin', '')).toEqual(['Pages'])
  expect(await titles('admin', 'note')).toEqual(['Pages', 'Notes'])
  expect(await titles('viewer', 'note')).toEqual(['Pages'])
  expect(await titles('viewer', 'nothing')).toEqual([])
})

test('returns at most five results of a module', async () => {
  install()
  const [, notes] = await searchFor(scopeWithRole('admin'), 'note')
  expect(notes?.results).toHaveLength(5)
})
