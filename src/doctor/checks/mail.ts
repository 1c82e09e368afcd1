import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

const { warning, ok } = reporter('mail')

export function checkMail({ settings: { SMTP_URL, DATA_DIR }, exposed }: Facts): Finding[] {
  if (SMTP_URL) return [ok('Mail is sent through SMTP_URL.')]
  const message = `SMTP_URL is not set: mail is written to ${DATA_DIR}/outbox.`
  if (!exposed) return [ok(message)]
  return [
    warning(
      message,
      'Set SMTP_URL and MAIL_FROM. Without them no user can sign up or reset a password.',
    ),
  ]
}
