import { createHmac, hkdfSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { hashToken } from '#auth/sessions/cookie'
import { authSecrets, env } from '#config/env'
import { type Database, database } from '#db/client'
import { databaseNow } from '#db/clock'
import { accountChanges, recoveryLinks } from '#db/schema'
import { accountMessages } from '#mail/account-messages'
import type { Message } from '#mail/deliver'
import type { ComposeMail } from '#mail/mail'
import { recoveryMessages } from '#mail/recovery-messages'
import { listChanges, type StoredChange, storeDelivery } from '#recovery/changes'
import { describeChange } from '#recovery/describe-change'
import { findFrozen, findRecovery } from '#recovery/frozen-account'
import { emailsOf } from '#recovery/history'
import { type Recovery, targetOf } from '#recovery/recovery'
import { urlWith } from '#universal/url'

/** The id is a hash in notices from before the history. */
const changeData = z.object({ changeId: z.guid() })

/** The notice of a change, with its link. Undefined if a recovery has undone the change. */
const composeChangeNotice: ComposeMail = async ({ email, data }) => {
  const { changeId } = changeData.parse(data)
  const isChange = eq(accountChanges.id, changeId)
  const [change] = await database().select().from(accountChanges).where(isChange)
  if (!change || change.link === 'ended') return undefined
  const { at, confirmed } = change
  const origin = env().AUTH_URL
  const facts = { at, sentences: describeChange(change, email), confirmed, origin }
  if (change.link === 'none') return recoveryMessages.get().changeNotice(email, facts)
  const token = tokenOf(changeId)
  await database()
    .update(accountChanges)
    .set({ tokenHash: hashToken(token) })
    .where(isChange)
  return {
    ...recoveryMessages.get().changeNotice(email, { ...facts, link: urlOf(token) }),
    onDelivered: () =>
      database().transaction((transaction) => storeDelivery(transaction, changeId)),
  }
}

const recoveryData = z.object({ userId: z.uuid() })

/** To each email of the window, which can object. Undefined once the recovery has ended. */
const composeRecoveryNotice =
  (isReminder: boolean): ComposeMail =>
  async ({ email, data }) => {
    const found = await findOpen(email, data)
    if (!found) return undefined
    const { recovery, target, link } = found
    const { openedBy, openedAt, state, readyAt } = recovery
    return recoveryMessages.get().recoveryNotice(email, {
      isReminder,
      openedBy: openedBy.includes(email) ? 'you' : openedBy.length > 0 ? 'another' : 'admin',
      openedAt: new Date(openedAt),
      targetEmail: target?.email ?? email,
      readyAt: state === 'waiting' ? new Date(readyAt) : undefined,
      sentences:
        target?.window.flatMap((change) => describeChange(change as StoredChange, email)) ?? [],
      link,
    })
  }

const composeAllowedNotice: ComposeMail = async ({ email, data }) => {
  const found = await findOpen(email, data)
  if (found?.recovery.state !== 'allowed') return undefined
  return recoveryMessages.get().recoveryAllowed(email, found.link)
}

/** The open recovery, with the link of this email. */
async function findOpen(email: string, data: unknown) {
  const { userId } = recoveryData.parse(data)
  const recovery = await findRecovery(database(), userId)
  if (!recovery) return undefined
  const changes = await listChanges(database(), userId)
  const target = targetOf({ changes, recovery }, databaseNow())
  const isOfWindow = target !== undefined && emailsOf(target).includes(email)
  return {
    recovery,
    target,
    isOfWindow,
    link: await storeOpenLink(database(), userId, recovery, email),
  }
}

/** Lets one email of the window act on the open recovery. */
export async function storeOpenLink(
  writer: Database,
  userId: string,
  recovery: Recovery,
  email: string,
): Promise<string> {
  const token = openTokenOf(userId, recovery, email)
  const tokenHash = hashToken(token)
  await writer
    .insert(recoveryLinks)
    .values({ tokenHash, userId, email })
    .onConflictDoUpdate({
      target: [recoveryLinks.userId, recoveryLinks.email],
      set: { tokenHash },
    })
  return urlOf(token)
}

/** Works once `storeOpenLink` has stored it. */
export function openLinkUrl(userId: string, recovery: Recovery, email: string): string {
  return urlOf(openTokenOf(userId, recovery, email))
}

function openTokenOf(userId: string, { openedAt }: Recovery, email: string): string {
  return tokenOf(`${userId} ${openedAt} ${email}`)
}

/**
 * In place of a reset link, to any email of a frozen account. Undefined if the account of the email, if
 * it has one, is not frozen.
 */
export async function composeFrozenNotice(
  email: string,
  userId: string | null,
): Promise<Message | undefined> {
  const frozen = await findFrozen(database(), email, userId)
  const found = frozen && (await findOpen(email, { userId: frozen }))
  if (!found) return undefined
  const message = accountMessages.get().frozenNotice(email, found.link)
  return found.isOfWindow ? message : { ...message, discard: true }
}

const rejectedData = z.object({ isOpener: z.boolean(), isCurrent: z.boolean() })

const composeRejectedNotice: ComposeMail = async ({ email, data }) => {
  return recoveryMessages.get().recoveryRejected(email, rejectedData.parse(data))
}

const completedData = z.object({ email: z.string() })

const composeCompletedNotice: ComposeMail = async ({ email: to, data }) => {
  const { email } = completedData.parse(data)
  return recoveryMessages.get().recoveryCompleted(to, { isNow: email === to })
}

export const recoveryMail = {
  account_changed: composeChangeNotice,
  recovery_opened: composeRecoveryNotice(false),
  recovery_reminder: composeRecoveryNotice(true),
  recovery_allowed: composeAllowedNotice,
  recovery_rejected: composeRejectedNotice,
  recovery_completed: composeCompletedNotice,
}

/** The same at each attempt: a message that was sent twice must not have a link that does not work. */
function tokenOf(subject: string): string {
  const [secret = ''] = authSecrets()
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'plinth.recovery-link', 32))
  return createHmac('sha256', key).update(subject).digest('base64url')
}

function urlOf(token: string): string {
  return env().AUTH_URL + urlWith('/recover', { token })
}
