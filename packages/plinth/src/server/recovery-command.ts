import { record } from '#audit/record'
import { env } from '#config/env'
import { type Database, database } from '#db/client'
import { allowRecovery, openRecoveryFor, rejectRecovery } from '#recovery/decide'
import type { Recovery } from '#recovery/recovery'
import { openLinkUrl } from '#recovery/recovery-mail'
import { type RecoveryReview, type ReviewedChange, reviewRecovery } from '#recovery/review'

export type Decision = 'open' | 'reject' | { allow: string }

/** Decides as an admin does on the page of the user. */
export function decideByCommand(
  userId: string,
  decision: Decision,
): Promise<{ text: string } | { error: string }> {
  return database().transaction(async (transaction) => {
    const review = await reviewRecovery(transaction, userId)
    const error = errorOf(review, decision)
    if (error) return { error }
    if (decision === 'open') return open(transaction, userId)
    if (decision === 'reject') return reject(transaction, userId)
    return allow(transaction, userId, decision.allow)
  })
}

function errorOf({ recovery, emails }: RecoveryReview, decision: Decision): string | undefined {
  if (decision === 'open') {
    if (recovery) return 'The account is already frozen.'
    return emails.length > 0 ? undefined : nothingToRecover
  }
  if (!recovery) return 'The account is not frozen. Use --open first.'
  if (decision === 'reject' || emails.includes(decision.allow)) return undefined
  return `${decision.allow} is not an email that can take back the account. These can: ${emails.join(', ')}.`
}

const nothingToRecover =
  'No change of this account can be taken back. Its user can reset the password on the page /forgot, and an admin can remove the second factors and sessions.'

async function open(transaction: Database, userId: string) {
  await openRecoveryFor(transaction, userId)
  await recordEvent(transaction, 'open_user_recovery', userId)
  return { text: 'The account is frozen. Its emails get a mail about it.\n' }
}

async function reject(transaction: Database, userId: string) {
  await rejectRecovery(transaction, userId)
  await recordEvent(transaction, 'reject_recovery', userId)
  return { text: 'The recovery was rejected. The account is no longer frozen.\n' }
}

async function allow(transaction: Database, userId: string, email: string) {
  await allowRecovery(transaction, userId, email)
  const { recovery, emails } = await reviewRecovery(transaction, userId)
  const place = emails[0] === email ? 'earlier' : 'later'
  await recordEvent(transaction, 'allow_recovery', userId, { email: place })
  const link = recovery ? openLinkUrl(userId, recovery, email) : ''
  const sent = env().SMTP_URL ? ' It is sent there by mail too.' : ''
  const text = `Anyone who has this link can take back the account within seven days. Give it to the reader of ${email} only.${sent}`
  return { text: `${text}\n\n  ${link}\n` }
}

function recordEvent(
  transaction: Database,
  action: string,
  targetId: string,
  details: Record<string, string> = {},
): Promise<void> {
  const event = { action, outcome: 'success' as const, targetId, details }
  return record(transaction, { ...event, ip: 'command line', requestId: '' })
}

/** The state and the timeline, as text. */
export async function describeReview(userId: string): Promise<string> {
  const { email, timeline, recovery, emails } = await reviewRecovery(database(), userId)
  const isFrozen = recovery ? 'frozen' : 'not frozen'
  return [
    email ? `Account ${email} (${isFrozen})` : `Deleted account (${isFrozen})`,
    ...(recovery ? describeRecovery(recovery) : []),
    ...(emails.length > 0 ? [`Emails that can take it back: ${emails.join(', ')}`] : []),
    '',
    ...(timeline.length > 0
      ? ['Changes, oldest first:', ...timeline.flatMap(describeRow)]
      : ['No change in the last 30 days can be taken back.']),
  ].join('\n')
}

function describeRecovery({ state, openedAt, openedBy, readyAt }: Recovery): string[] {
  const by = openedBy.length === 0 ? 'an admin' : openedBy.join(', ')
  const next = {
    waiting: `It can be completed from ${timeText(readyAt)} on, or with a proof.`,
    admin: 'An admin decides: --allow <email> or --reject.',
    allowed: `It can be completed by ${by}.`,
  }[state]
  const opened = `Opened ${timeText(openedAt)}`
  return [state === 'allowed' ? `${opened}.` : `${opened} by ${by}.`, next]
}

function describeRow({ at, sentences, by, confirmed, email, linkEndsAt }: ReviewedChange) {
  const facts = [
    by === 'admin' ? 'By an admin.' : 'By the user.',
    ...(confirmed ? ['Confirmed with an app or passkey.'] : []),
    ...(email ? [`Notice to ${email}.`] : []),
    linkEndsAt ? `Its link works until ${timeText(linkEndsAt.getTime())}.` : 'No link.',
  ]
  return [`  ${timeText(at.getTime())}  ${sentences.join(' ')}`, `    ${facts.join(' ')}`]
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
