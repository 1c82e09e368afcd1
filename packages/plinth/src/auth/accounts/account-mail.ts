import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { record } from '#audit/record'
import { composeChangeCode } from '#auth/accounts/change-code-mail'
import { findEmailOwner } from '#auth/accounts/email-owner'
import { createLink, type Link, type LinkPurpose, linkUrl } from '#auth/accounts/links'
import { env } from '#config/env'
import { type Database, database } from '#db/client'
import { users } from '#db/schema'
import type { Scope } from '#http/scope'
import { accountMessages } from '#mail/account-messages'
import { type AccountMailPurpose, type ComposeMail, type QueuedMail, queueMail } from '#mail/mail'
import { checkRateLimit, hashKey, ipRange, type RateLimitResult } from '#rate-limits/rate-limit'
import { composeFrozenNotice, recoveryMail } from '#recovery/recovery-mail'
import { roles } from '#universal/users'

/**
 * Does the same work for every email: whether an account exists is looked up later, when the mail
 * is sent, so neither the response nor its time reveals it.
 */
export async function requestMail(scope: Scope, mail: QueuedMail): Promise<RateLimitResult> {
  const { session, ip, requestId } = scope
  const result = await limitMail(ip, mail)
  await database().transaction(async (transaction) => {
    await record(transaction, {
      action: `request_${mail.purpose}`,
      outcome: result.allowed ? 'success' : 'denied',
      actorId: session?.user.id,
      ip,
      requestId,
    })
    if (result.allowed) await queueMail(transaction, mail)
  })
  return result
}

/** Where the link in the mail leads in the end. Already checked to be a path of ours. */
export function callbackData(callbackUrl: string | undefined) {
  return callbackUrl === undefined ? {} : { data: { callbackUrl } }
}

const hourSeconds = 60 * 60

/**
 * Per hour and purpose: 20 messages from one IP, 5 from one IP to one mailbox, 10 to one mailbox. The
 * newest link keeps working, so using up a mailbox's limit does not lock its owner out. Purposes count
 * separately: sign-in links must not use up the limit of the password reset.
 *
 * @public For modules that send mail to an email that a user has typed.
 */
export async function limitMail(
  ip: string,
  { purpose, email }: Pick<QueuedMail, 'purpose' | 'email'>,
): Promise<RateLimitResult> {
  const range = ipRange(ip)
  const limits = [
    { name: `mail.ip.${purpose}`, times: 20, key: range },
    { name: `mail.pair.${purpose}`, times: 5, key: `${range} ${hashKey(email)}` },
    { name: `mail.recipient.${purpose}`, times: 10, key: hashKey(email) },
  ]
  let last: RateLimitResult | undefined
  for (const { name, times, key } of limits) {
    last = await checkRateLimit(name, { times, seconds: hourSeconds }, key)
    // A refused request must not use up the remaining limits.
    if (!last.allowed) return last
  }
  return last as RateLimitResult
}

/** The fields of mail with a link that leads to another page in the end. */
const callbackFields = z.object({ callbackUrl: z.string().optional() })

/** Earlier invitations have no role. */
const invitationData = z.object({ role: z.enum(roles).default('viewer') })

/**
 * Each decides when the mail is sent whether the email has an account, and creates the link, which
 * then exists in the message only.
 *
 * Mail that anyone can request takes the same work with and without an account: other requests of
 * the process wait for it, and their latency would reveal the difference.
 */
export const accountMail: Readonly<Record<AccountMailPurpose, ComposeMail>> = {
  sign_up: async ({ email, data }) => {
    const { AUTH_URL, SIGN_UP } = env()
    const query = callbackQuery(data)
    const { userId, isReserved } = await findEmailOwner(database(), email)
    const mayJoin = !userId && !isReserved && SIGN_UP === 'open'
    const link = await newLink('verify_email', { email, userId: null }, mayJoin)
    if (userId) {
      return accountMessages.get().alreadyRegistered(email, AUTH_URL, query && `?${query}`)
    }
    if (isReserved && SIGN_UP === 'open') {
      return accountMessages.get().emailReserved(email)
    }
    const message = accountMessages.get().verifyEmail(email, withQuery(link, query))
    return mayJoin ? message : { ...message, discard: true }
  },

  invitation: async ({ email, data }) => {
    const { userId, isReserved } = await findEmailOwner(database(), email)
    if (env().SIGN_UP === 'closed' || userId || isReserved) return undefined
    const { role } = invitationData.parse(data)
    return accountMessages
      .get()
      .invitation(email, await newLink('invitation', { email, userId: null, role }))
  },

  reset_password: async ({ email, data }) => {
    const userId = (await findUserId(database(), email)) ?? null
    const frozen = await composeFrozenNotice(email, userId)
    if (frozen) return frozen
    const link = await newLink('reset_password', { email, userId }, userId !== null)
    const message = accountMessages.get().resetPassword(email, withQuery(link, callbackQuery(data)))
    return userId ? message : { ...message, discard: true }
  },

  confirm_change: composeChangeCode,
  ...recoveryMail,
}

/** Empty if the link leads home in the end. */
function callbackQuery(data: unknown): string {
  const { callbackUrl } = callbackFields.parse(data ?? {})
  return callbackUrl ? `${new URLSearchParams({ callbackUrl })}` : ''
}

function withQuery(link: string, query: string): string {
  return query ? `${link}&${query}` : link
}

async function newLink(purpose: LinkPurpose, link: Link, store = true): Promise<string> {
  return linkUrl(purpose, await createLink(database(), purpose, link, store))
}

/** @public For modules that take the email of a user. */
export async function findUserId(reader: Database, email: string): Promise<string | undefined> {
  const [user] = await reader.select({ id: users.id }).from(users).where(eq(users.email, email))
  return user?.id
}
