import 'server-only'
import type { Env } from '@/core/env'
import { log } from '@/core/log'
import { outboxFolder } from '@/core/mail/outbox'

/** On the embedded database that is as it should be; on a real one somebody waits for a message. */
export function tellOfMail({ SMTP_URL, embedded }: Env): void {
  if (SMTP_URL) return
  const text = `SMTP_URL is not set: mail is written to ${outboxFolder()}`
  if (embedded) log().info(text)
  else log().warn(text)
}
