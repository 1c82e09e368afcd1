import { expect, test } from 'vitest'
import { anyone, isSignedIn, type SignedInScope } from '#guard/policy'
import {
  collectPersonalData,
  confirmMethodsFor,
  installModules,
  navigationFor,
  userMenuLinks,
} from '#modules/installed-modules'
import { newScope } from '#testing/scope'

const session = {
  id: 'session',
  user: { id: 'user-1', email: 'user@example.com', name: 'User', role: 'viewer' },
  createdAt: new Date(),
  expiresAt: new Date(),
  authenticatedAt: new Date(),
  authenticatedBy: 'password',
} as const

const home = { href: '/home', label: 'Home' }

const signedIn = { ...newScope(), session }

test('returns the navigation, user menu and personal data of modules in their order', async () => {
  const [open, own, menu] = ['/open', '/own', '/menu'].map((href) => ({ href, label: href }))
  installModules([
    {
      id: 'notes',
      navigation: [
        { href: '/open', label: '/open', authorize: anyone },
        { href: '/own', label: '/own', authorize: isSignedIn },
      ],
      personalData: async ({ session }) => ({ of: session.user.id }),
    },
    { id: 'plain', userMenu: [{ href: '/menu', label: '/menu' }] },
  ])
  expect(navigationFor(newScope())).toEqual([open])
  expect(navigationFor(signedIn)).toEqual([home, open, own])
  expect(userMenuLinks()).toEqual([home, menu])
  expect(userMenuLinks(signedIn)).toEqual([home, open, own, menu])
  expect(await collectPersonalData(signedIn)).toEqual({ notes: { of: 'user-1' } })
})

test('returns the confirm methods that the user has set up', async () => {
  const method = (href: string, available: boolean) => ({
    href,
    label: href,
    isAvailable: async ({ session }: SignedInScope) => available && session.user.id === 'user-1',
  })
  installModules([
    { id: 'keys', confirmMethods: [method('/keys', true), method('/unused', false)] },
    { id: 'codes', confirmMethods: [method('/codes', true)] },
  ])
  expect(await confirmMethodsFor(signedIn)).toEqual([
    { href: '/keys', label: '/keys' },
    { href: '/codes', label: '/codes' },
  ])
})

test('returns only the home page without modules', async () => {
  installModules([])
  expect(navigationFor(newScope())).toEqual([])
  expect(navigationFor(signedIn)).toEqual([home])
  expect(userMenuLinks()).toEqual([home])
  expect(await collectPersonalData(signedIn)).toEqual({})
  expect(await confirmMethodsFor(signedIn)).toEqual([])
})
