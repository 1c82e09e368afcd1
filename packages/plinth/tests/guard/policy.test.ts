import { expect, test } from 'vitest'
import { anyone, isAdmin, isEditor, isSignedIn, policy, type SignedInScope } from '#guard/policy'
import type { Scope } from '#http/scope'
import { newScope } from '#testing/scope'
import { roles } from '#universal/users'

const callers = [undefined, ...roles].map((role) =>
  newScope(
    role && {
      id: 'session',
      user: { id: 'user', email: 'user@example.com', name: 'User', role },
      createdAt: new Date(),
      expiresAt: new Date(),
      authenticatedAt: new Date(),
      authenticatedBy: 'password',
    },
  ),
)

test.each<[string, (scope: Scope) => boolean, boolean[]]>([
  ['anyone', anyone, [true, true, true, true]],
  ['isSignedIn', isSignedIn, [false, true, true, true]],
  ['isEditor', isEditor, [false, false, true, true]],
  ['isAdmin', isAdmin, [false, false, false, true]],
])('%s for an anonymous caller, a viewer, an editor and an admin', (_, policy, allowed) => {
  expect(callers.map((scope) => policy(scope))).toEqual(allowed)
})

test('a policy made from a rule allows no anonymous caller', () => {
  const isNamedUser = policy(({ session }) => session.user.name === 'User')
  expect(callers.map((scope) => isNamedUser(scope))).toEqual([false, true, true, true])
})

test('a signed-in scope keeps its type where the policy does not hold', () => {
  const visibleOwner = (scope: SignedInScope) =>
    isAdmin(scope) ? undefined : scope.session.user.id
  const [, viewer, , admin] = callers as SignedInScope[]
  expect([viewer, admin].map((scope) => scope && visibleOwner(scope))).toEqual(['user', undefined])
})
