import { expect, test } from 'vitest'
import { anyone, isAdmin, isSignedIn } from '#guard/policy'
import { privatePaths, publicPages } from '#modules/public-pages'

const updatedAt = new Date('2026-01-31')

const modules = [
  {
    id: 'notes',
    navigation: [
      { href: '/notes', label: 'Notes', authorize: anyone },
      { href: '/drafts', label: 'Drafts', authorize: isSignedIn },
      { href: '/moderation', label: 'Moderation', authorize: isAdmin },
    ],
    userMenu: [{ href: '/settings', label: 'Settings' }],
    sitemap: async () => [{ path: '/notes' }, { path: '/notes/1', updatedAt }],
  },
  { id: 'empty' },
]

test('lists the public pages of core and of modules', async () => {
  const core = await publicPages([])
  expect(core).toContainEqual({ path: '/' })
  const listed = await publicPages(modules)
  expect(listed.slice(core.length)).toEqual([{ path: '/notes' }, { path: '/notes/1', updatedAt }])
})

test('a module with many pages does not make the list longer than a sitemap may be', async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => ({ path: `/notes/${index}` }))
  expect(await publicPages([{ id: 'notes', sitemap: async () => many }])).toHaveLength(50_000)
})

test('keeps crawlers from what anonymous callers may not open', () => {
  const paths = privatePaths(modules)
  expect(paths).toEqual(expect.arrayContaining(['/api/', '/drafts', '/moderation', '/settings']))
  expect(paths).not.toContain('/notes')
})
