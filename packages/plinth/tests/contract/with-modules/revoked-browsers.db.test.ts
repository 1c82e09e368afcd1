import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import type { SignedInScope } from '#guard/policy'
import { installModules } from '#modules/installed-modules'
import { testDatabase } from '#testing/database/database'
import { signedInScope } from '#testing/scope'
import { revokeOtherSessions } from '@/app/(account)/actions'
import { revokeAllUserSessions } from '@/app/(admin)/actions'
import { revokeSessionsOfUsers } from '@/app/(admin)/admin/users/bulk/actions'
import { rememberBrowser } from '@/app/(security)/data/factors/browsers'
import { rememberedBrowsers } from '@/app/(security)/schema'
import { modules } from '@/modules'

const db = testDatabase()

let admin: SignedInScope
let viewer: SignedInScope

beforeAll(async () => {
  installModules(modules)
  await createDemoAccounts(db.database)
})

beforeEach(async () => {
  admin = await signedInScope(db.database, 'admin@example.com')
  viewer = await signedInScope(db.database, 'viewer@example.com')
  await db.database.delete(rememberedBrowsers)
  for (const { session } of [admin, viewer]) {
    for (const device of ['one', 'other']) {
      await rememberBrowser(db.database, viewer, session.user.id, device)
    }
  }
})

const owners = async () =>
  new Set((await db.database.select().from(rememberedBrowsers)).map(({ userId }) => userId))

test('revoking the other sessions forgets the browsers of the user, and no others', async () => {
  const adminId = admin.session.user.id
  expect(await revokeOtherSessions.run(viewer, {})).toMatchObject({ revoked: expect.any(Number) })
  expect(await owners()).toEqual(new Set([adminId]))
})

test('an admin who revokes the sessions of a user has the browsers forgotten', async () => {
  const userId = viewer.session.user.id
  expect(await revokeAllUserSessions.run(admin, { userId })).not.toMatchObject({ ok: false })
  expect(await owners()).toEqual(new Set([admin.session.user.id]))
})

test('an admin who revokes the sessions of several users has the browsers forgotten', async () => {
  const userIds = [viewer.session.user.id, admin.session.user.id]
  // The own account is left out.
  expect(await revokeSessionsOfUsers.run(admin, { userIds })).not.toMatchObject({ ok: false })
  expect(await owners()).toEqual(new Set([admin.session.user.id]))
})

test('a revocation that is refused forgets none', async () => {
  const userIds = [admin.session.user.id]
  const refused = await revokeSessionsOfUsers.run(admin, { userIds })
  expect(refused).toMatchObject({ ok: false, code: 'conflict' })
  expect((await owners()).size).toBe(2)
})
