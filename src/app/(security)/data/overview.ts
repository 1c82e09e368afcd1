import 'server-only'
import { and, eq, isNotNull } from 'drizzle-orm'
import { type Database, database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { authenticatorApps } from '../schema'
import { findPendingChange } from './email-changes'
import { listBrowsers } from './factors/browsers'
import { findFactors } from './factors/factors'
import { wantsNotice } from './factors/new-device'
import { listPasskeys } from './factors/passkeys'

/** All that the security page shows. */
export async function findSecurity({ session: { user } }: SignedInScope) {
  const [factors, app, passkeys, browsers, newDevice] = await Promise.all([
    findFactors(user.id),
    findApp(user.id),
    listPasskeys(user.id),
    listBrowsers(user.id),
    wantsNotice(database(), user.id),
  ])
  return { factors, app, passkeys, browsers, newDevice }
}

async function findApp(userId: string) {
  const [app] = await database()
    .select({
      confirmedAt: authenticatorApps.confirmedAt,
      lastUsedAt: authenticatorApps.lastUsedAt,
    })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), isNotNull(authenticatorApps.confirmedAt)))
  return app
}

export async function findUserEmail(reader: Database, id: string): Promise<string | undefined> {
  const [user] = await reader.select({ email: users.email }).from(users).where(eq(users.id, id))
  return user?.email
}

/** For the data export. Never a secret, a key or a hash. */
export async function exportSecurity(scope: SignedInScope) {
  const { app, factors, passkeys, browsers, newDevice } = await findSecurity(scope)
  const pending = await findPendingChange(scope.session.user.id)
  return {
    authenticatorApp: app ?? null,
    passkeys,
    recoveryCodesLeft: factors.recoveryCodes,
    rememberedBrowsers: browsers,
    noticeOfNewDevices: newDevice,
    pendingEmailChange: pending ?? null,
  }
}
