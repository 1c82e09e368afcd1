import { afterEach, expect, test } from 'vitest'
import { isAdmin, isSignedIn } from '#guard/policy'
import { installModules, loadHomeCards } from '#modules/installed-modules'
import { scopeWithRole } from '#testing/scope'

afterEach(() => installModules([]))

test('loads the cards that the user may see, in the order of the modules', async () => {
  const card = (title: string) => ({
    title,
    href: `/${title}`,
    load: async () => ({ text: title }),
  })
  installModules([
    { id: 'one', homeCards: [{ ...card('first'), authorize: isSignedIn }] },
    {
      id: 'two',
      homeCards: [
        { ...card('admins'), authorize: isAdmin },
        { ...card('second'), authorize: isSignedIn },
      ],
    },
  ])
  const titles = (cards: { title: string }[]) => cards.map(({ title }) => title)
  expect(titles(await loadHomeCards(scopeWithRole('viewer')))).toEqual(['first', 'second'])
  expect(titles(await loadHomeCards(scopeWithRole('admin')))).toEqual(['first', 'admins', 'second'])
})

test('leaves out a card that has nothing to show or that fails', async () => {
  const authorize = isSignedIn
  installModules([
    {
      id: 'one',
      homeCards: [
        { title: 'Empty', href: '/empty', authorize, load: async () => undefined },
        {
          title: 'Broken',
          href: '/broken',
          authorize,
          load: async () => {
            throw new Error('broken')
          },
        },
        { title: 'Works', href: '/works', authorize, load: async () => ({ text: 'Yes' }) },
      ],
    },
  ])
  expect(await loadHomeCards(scopeWithRole('viewer'))).toEqual([
    { title: 'Works', href: '/works', text: 'Yes' },
  ])
})
