import { expect, test } from 'vitest'
import { roles } from '@/core/auth/roles'
import type { Scope } from '@/core/auth/scope'
import { anyone, isAdmin, isEditor, isSignedIn } from '@/core/guard/policy'
import { newScope } from '../support/scope'

const callers = [undefined, ...roles].map((role) =>
  newScope(
    role && {
      id: 'session',
      user: { id: 'user', email: 'somebody@example.com', name: 'Somebody', role },
      createdAt: new Date(),
      expiresAt: new Date(),
    },
  ),
)

test.each<[string, (scope: Scope) => boolean, boolean[]]>([
  ['anyone', anyone, [true, true, true, true]],
  ['isSignedIn', isSignedIn, [false, true, true, true]],
  ['isEditor', isEditor, [false, false, true, true]],
  ['isAdmin', isAdmin, [false, false, false, true]],
])('%s, asked of nobody, a viewer, an editor and an admin', (_, who, answers) => {
  expect(callers.map((scope) => who(scope))).toEqual(answers)
})
