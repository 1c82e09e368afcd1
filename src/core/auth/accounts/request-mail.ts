import 'server-only'
import { record } from '@/core/audit/record'
import { database } from '@/core/db/client'
import type { Scope } from '@/core/http/scope'
import { type QueuedMail, queueMail } from '@/core/mail/queue'
import { limitMail } from '@/core/rate-limits/mail'
import type { RateLimitResult } from '@/core/rate-limits/rate-limit'

/**
 * Does the same work for every email: whether an account exists is looked up later, when the mail
 * is sent, so neither the response nor its time reveals it.
 */
export async function requestMail(scope: Scope, mail: QueuedMail): Promise<RateLimitResult> {
  const { session, ip, requestId } = scope
  const result = await limitMail(ip, mail.email)
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
