import 'server-only'
import { type AnyColumn, and, eq, gt, inArray, sql } from 'drizzle-orm'
import { type Database, rowsOf } from 'plinth/db/client'
import { mailQueue, users, verificationTokens } from 'plinth/db/schema'
import { queueMail } from 'plinth/mail/mail'
import type { Role } from 'plinth/universal/users'
import type { Addresses, Rejected } from '../addresses'

type Invited = { sent: string[]; rejected: Rejected[] }

/** Queues an invitation to each that can be invited. An earlier link is replaced by the new one. */
export async function invite(
  tx: Database,
  { valid, rejected }: Addresses,
  role: Role,
): Promise<Invited> {
  if (valid.length === 0) return { sent: [], rejected }
  const refused = await findRefused(tx, valid)
  const sent = valid.filter((email) => !refused.has(email))
  if (sent.length > 0) {
    // One that is not sent yet, and a link that still works, must not give an earlier role.
    await tx.delete(mailQueue).where(and(isQueuedInvitation, inArray(mailQueue.email, sent)))
    await tx
      .update(verificationTokens)
      .set({ role })
      .where(and(isInvitation, inArray(verificationTokens.email, sent)))
  }
  for (const email of sent) await queueMail(tx, { purpose: 'invitation', email, data: { role } })
  const reasons = [...refused].map(([email, reason]) => ({ email, reason }))
  return { sent, rejected: [...rejected, ...reasons] }
}

/** Undefined if it was used or canceled, or has expired. */
export async function findInvitation(
  tx: Database,
  email: string,
): Promise<{ role: Role; isFresh: boolean } | undefined> {
  const [queued] = await tx
    .select({ data: mailQueue.data, isFresh: isFresh(mailQueue.createdAt) })
    .from(mailQueue)
    .where(and(isQueuedInvitation, eq(mailQueue.email, email)))
  if (queued) return { role: (queued.data.role as Role) ?? 'viewer', isFresh: queued.isFresh }
  const isLive = gt(verificationTokens.expiresAt, sql`now()`)
  const [sent] = await tx
    .select({ role: verificationTokens.role, isFresh: isFresh(verificationTokens.createdAt) })
    .from(verificationTokens)
    .where(and(isInvitation, eq(verificationTokens.email, email), isLive))
  return sent && { role: sent.role ?? 'viewer', isFresh: sent.isFresh }
}

/** The reason for each refused email. A mailbox gets at most one invitation a minute. */
async function findRefused(tx: Database, emails: readonly string[]): Promise<Map<string, string>> {
  const existing = await tx
    .select({ email: users.email })
    .from(users)
    .where(inArray(users.email, [...emails]))
  const reserved = rowsOf<{ email: string }>(
    await tx.execute(sql`select email from jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb)
      as email where email_is_reserved(email, null)`),
  )
  const queued = await tx
    .select({ email: mailQueue.email })
    .from(mailQueue)
    .where(
      and(isQueuedInvitation, inArray(mailQueue.email, [...emails]), isFresh(mailQueue.createdAt)),
    )
  const sent = await tx
    .select({ email: verificationTokens.email })
    .from(verificationTokens)
    .where(
      and(
        isInvitation,
        inArray(verificationTokens.email, [...emails]),
        isFresh(verificationTokens.createdAt),
      ),
    )
  return new Map([
    ...[...queued, ...sent].map(({ email }) => [email, 'invited less than a minute ago'] as const),
    ...reserved.map(
      ({ email }) => [email, 'belongs to an account that was changed recently'] as const,
    ),
    ...existing.map(({ email }) => [email, 'already has an account'] as const),
  ])
}

const isInvitation = eq(verificationTokens.purpose, 'invitation')
const isQueuedInvitation = eq(mailQueue.purpose, 'invitation')

function isFresh(createdAt: AnyColumn) {
  return sql<boolean>`${createdAt} > now() - interval '1 minute'`
}
