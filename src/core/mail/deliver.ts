import 'server-only'
import { createTransport } from 'nodemailer'
import { env } from '@/core/config/env'
import { productName } from '@/core/config/product-name'
import { composeMime, discardFromOutbox, writeToOutbox } from '@/core/mail/outbox'

export type Message = {
  to: string
  subject: string
  html: string
  text: string
  /** Takes the work of a delivery, but is not sent. */
  discard?: boolean
}

/** For the log. */
export type Delivery = { to: 'mail server' } | { file: string } | { discarded: true }

/** Without the server's text, which repeats the email. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly reason: { error?: string; status?: number; command?: string }

  constructor({ code, responseCode, command }: SmtpError) {
    super('The mail server did not accept the message.')
    this.reason = {
      ...(code === undefined ? {} : { error: code }),
      ...(responseCode === undefined ? {} : { status: responseCode }),
      ...(command === undefined ? {} : { command }),
    }
  }
}

export function isDeliveryError(error: unknown): error is DeliveryError {
  return error instanceof Error && error.name === 'DeliveryError'
}

type SmtpError = { code?: string; responseCode?: number; command?: string }

/** Sends the message, or without SMTP_URL writes it to the outbox folder. */
export async function deliver({ to, discard = false, ...content }: Message): Promise<Delivery> {
  const { SMTP_URL, MAIL_FROM, AUTH_URL } = env()
  const mail = {
    ...content,
    from: MAIL_FROM ?? { name: productName, address: `no-reply@${new URL(AUTH_URL).hostname}` },
    // An object, because a string could contain two recipients.
    to: { name: '', address: to },
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (!SMTP_URL) return discard ? discardFromOutbox(mail) : { file: await writeToOutbox(mail) }
  const transport = createTransport({ url: SMTP_URL, ...timeouts })
  try {
    if (discard) {
      await transport.verify()
      await composeMime(mail)
      return { discarded: true }
    }
    await transport.sendMail(mail)
  } catch (error) {
    throw new DeliveryError(error as SmtpError)
  }
  return { to: 'mail server' }
}

const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}
