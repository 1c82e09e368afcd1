import 'server-only'
import type { Env } from '@/core/config/env'
import { log } from '@/core/log/log'
import { outboxFolder } from '@/core/mail/outbox'

/** A warning on a real database, where users wait for mail. */
export function logMailDelivery({ SMTP_URL, embedded }: Env): void {
  if (SMTP_URL) return
  const text = `SMTP_URL is not set: mail is written to ${outboxFolder()}`
  if (embedded) log().info(text)
  else log().warn(text)
}
