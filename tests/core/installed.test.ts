import { expect, test } from 'vitest'
import { anyone, isSignedIn } from '@/core/guard/policy'
import { install, navigationFor, personalDataOf, personMenuLinks } from '@/core/shell/installed'
import { newScope } from '../support/scope'

const session = {
  id: 'session',
  user: { id: 'somebody', email: 'somebody@example.com', name: 'Somebody', role: 'viewer' },
  createdAt: new Date(),
  expiresAt: new Date(),
} as const

const signedIn = { ...newScope(), session }

test('what modules bring is shown to those who may use it, in their order', async () => {
  const [open, own, menu] = ['/open', '/own', '/menu'].map((href) => ({ href, label: href }))
  install([
    {
      id: 'notes',
      navigation: [
        { href: '/open', label: '/open', who: anyone },
        { href: '/own', label: '/own', who: isSignedIn },
      ],
      personalData: async ({ session }) => ({ of: session.user.id }),
    },
    { id: 'plain', personMenu: [{ href: '/menu', label: '/menu' }] },
  ])
  expect(navigationFor(newScope())).toEqual([open])
  expect(navigationFor(signedIn)).toEqual([open, own])
  expect(personMenuLinks()).toEqual([menu])
  expect(await personalDataOf(signedIn)).toEqual({ notes: { of: 'somebody' } })
})

test('without a module there is nothing', async () => {
  install([])
  expect(navigationFor(signedIn)).toEqual([])
  expect(personMenuLinks()).toEqual([])
  expect(await personalDataOf(signedIn)).toEqual({})
})
