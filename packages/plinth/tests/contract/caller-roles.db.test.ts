import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { allCallers, type EffectiveRole } from '#testing/callers'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'

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
