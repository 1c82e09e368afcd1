import { allCallers, type EffectiveRole } from '@tests/support/callers'
import { newClient } from '@tests/support/client'
import { testDatabase } from '@tests/support/database'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'

const db = testDatabase()

// A permanent admin, so that the others can be demoted and deleted.
beforeAll(() => createDemoAccounts(db.database))

test.each(allCallers)(
  '$caller by $by has the role $effectiveRole',
  async ({ effectiveRole, authenticate }) => {
    const session = await newClient().session(await authenticate(db.database))
    const role: EffectiveRole = session?.user.role ?? 'anonymous'
    expect(role).toBe(effectiveRole)
  },
)
