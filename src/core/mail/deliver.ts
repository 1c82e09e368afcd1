import 'server-only'
import { createTransport } from 'nodemailer'
import { env } from '@/core/env'
import { writeToOutbox } from '@/core/mail/outbox'
import { productName } from '@/core/name'

export type Message = { to: string; subject: string; html: string; text: string }

/** Where it went, for the log. */
export type Delivery = { to: 'mail server' } | { file: string }

/** What is known of a failure without the words of the server, which repeat the address. */
export class DeliveryFailed extends Error {
  override name = 'DeliveryFailed'
  readonly reason: { fault?: string; answer?: number; during?: string }

  constructor({ code, responseCode, command }: SmtpFault) {
    super('The message was not taken.')
    this.reason = {
      ...(code === undefined ? {} : { fault: code }),
      ...(responseCode === undefined ? {} : { answer: responseCode }),
      ...(command === undefined ? {} : { during: command }),
    }
  }
}

export function isDeliveryFailed(error: unknown): error is DeliveryFailed {
  return error instanceof Error && error.name === 'DeliveryFailed'
}

type SmtpFault = { code?: string; responseCode?: number; command?: string }

/** To the mail server, or without one into a folder where whoever set this up finds it. */
export async function deliver({ to, ...words }: Message): Promise<Delivery> {
  const { SMTP_URL, MAIL_FROM, AUTH_URL } = env()
  const mail = {
    ...words,
    from: MAIL_FROM ?? { name: productName, address: `no-reply@${new URL(AUTH_URL).hostname}` },
    // Not as text, in which one address can turn out to be two.
    to: { name: '', address: to },
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (!SMTP_URL) return { file: await writeToOutbox(mail) }
  try {
    await createTransport({ url: SMTP_URL, ...patience }).sendMail(mail)
  } catch (error) {
    throw new DeliveryFailed(error as SmtpFault)
  }
  return { to: 'mail server' }
}

const seconds = 1000

const patience = {
  dnsTimeout: 10 * seconds,
  connectionTimeout: 10 * seconds,
  greetingTimeout: 10 * seconds,
  socketTimeout: 20 * seconds,
}
