import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { SignInListener } from 'plinth/auth/sessions/steps'
import type { Database } from 'plinth/db/client'
import { auditEvents, sessions, users } from 'plinth/db/schema'
import type { Scope, SessionUser } from 'plinth/http/scope'
import { knownDevice } from 'plinth/rate-limits/known-devices'
import { deviceOf } from 'plinth/universal/device'
import { queueNotice } from '../../notices'
import { noticeSettings } from '../../schema'

/** A mail about a sign-in on a device that the account was not used on before. */
export const noticeNewDevice: SignInListener = async (transaction, scope, user) => {
  if (scope.session?.user.id === user.id) return
  if (knownDevice(scope.device, user.email) !== undefined) return
  if (!(await wantsNotice(transaction, user.id))) return
  if (await isFirstSignIn(transaction, user.id)) return
  if (await hasSessionLike(transaction, scope, user.id)) return
  await queueNotice(transaction, user.email, {
    kind: 'new_device',
    name: `${deviceOf(scope.userAgent)}, IP address ${scope.ip}`,
  })
}

/** On, until the user turns it off. */
export async function wantsNotice(reader: Database, userId: string): Promise<boolean> {
  const [row] = await reader
    .select({ newDevice: noticeSettings.newDevice })
    .from(noticeSettings)
    .where(eq(noticeSettings.userId, userId))
  return row?.newDevice ?? true
}

export async function storeNoticeSetting(
  transaction: Database,
  userId: string,
  newDevice: boolean,
): Promise<void> {
  await transaction
    .insert(noticeSettings)
    .values({ userId, newDevice })
    .onConflictDoUpdate({ target: noticeSettings.userId, set: { newDevice } })
}

/** Right after sign-up there is nothing to warn about. Audit events may be deleted after some time. */
async function isFirstSignIn(transaction: Database, userId: string): Promise<boolean> {
  const isOld = and(eq(users.id, userId), sql`${users.createdAt} < now() - interval '1 day'`)
  if ((await transaction.$count(users, isOld)) > 0) return false
  const isSignIn = and(eq(auditEvents.actorId, userId), eq(auditEvents.action, 'sign_in'))
  return (await transaction.$count(auditEvents, isSignIn)) === 0
}

/** A client without cookies, such as a script, signs in again and again. */
async function hasSessionLike(
  transaction: Database,
  { ip, userAgent }: Scope,
  userId: SessionUser['id'],
): Promise<boolean> {
  const isSame = and(
    eq(sessions.userId, userId),
    eq(sessions.ip, ip),
    sql`${sessions.userAgent} is not distinct from ${userAgent ?? null}`,
  )
  return (await transaction.$count(sessions, isSame)) > 0
}
