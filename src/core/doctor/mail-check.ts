import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'

const { warning, fine } = reporter('mail')

export function checkMail({ settings: { SMTP_URL, DATA_DIR }, exposed }: Facts): Finding[] {
  if (SMTP_URL) return [fine('Mail goes to the server of SMTP_URL.')]
  const what = `SMTP_URL is not set: mail is written to ${DATA_DIR}/outbox.`
  if (!exposed) return [fine(what)]
  return [
    warning(what, 'Set SMTP_URL and MAIL_FROM, or nobody can sign up or choose a new password.'),
  ]
}
