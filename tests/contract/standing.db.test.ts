import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { everyCaller, type Standing } from '../support/callers'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'

const db = testDatabase()

// Never the last admin, so that every admin can be made and unmade.
beforeAll(() => createDemoAccounts(db.database))

test.each(everyCaller)('$caller by $by is taken for $standing', async ({ standing, identify }) => {
  const session = await newClient().session(await identify(db.database))
  const taken: Standing = session?.user.role ?? 'nobody'
  expect(taken).toBe(standing)
})
