import 'server-only'
import { record } from '@/core/audit/record'
import type { Scope } from '@/core/auth/scope'
import { database } from '@/core/db/client'
import type { Allowance } from '@/core/limits/allow'
import { countMail } from '@/core/limits/mail'
import { queueMail, type WaitingMail } from '@/core/mail/queue'
import { sendSoon } from '@/core/mail/wake'

/**
 * The same for every address, in what it does, says and takes: nobody looks here whether there is
 * an account. That is found out when the message is sent, out of everybody's sight.
 */
export async function askForMail(scope: Scope, mail: WaitingMail): Promise<Allowance> {
  const { session, address, requestId } = scope
  const allowance = await countMail(address, mail.email)
  await database().transaction(async (transaction) => {
    await record(transaction, {
      action: `ask_${mail.purpose}`,
      outcome: allowance.allowed ? 'success' : 'denied',
      actorId: session?.user.id,
      address,
      requestId,
    })
    if (allowance.allowed) await queueMail(transaction, mail)
  })
  if (allowance.allowed) sendSoon()
  return allowance
}
