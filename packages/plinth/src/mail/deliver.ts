import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { appConfig } from '#config/app-config'
import { type Env, env } from '#config/env'
import { makeFolder } from '#config/folders'
import { log } from '#log/log'
import { type ParsedMessage, parseMessage } from '#mail/parse-message'

export type Message = {
  to: string
  subject: string
  html: string
  text: string
  /** Takes the work of a delivery, but is not sent. */
  discard?: boolean
  /** Runs once the mail server has accepted it. */
  onDelivered?: () => Promise<void>
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
  return error instanceof DeliveryError
}

type SmtpError = { code?: string; responseCode?: number; command?: string }

/** Sends the message, or without SMTP_URL writes it to the outbox folder. */
export async function deliver({
  to,
  discard = false,
  onDelivered: _,
  ...content
}: Message): Promise<Delivery> {
  const { SMTP_URL, MAIL_FROM, AUTH_URL } = env()
  const {
    name,
    mail: { from, replyTo },
  } = appConfig()
  const mail = {
    ...content,
    from: MAIL_FROM ?? from ?? { name, address: `no-reply@${new URL(AUTH_URL).hostname}` },
    ...(replyTo ? { replyTo } : {}),
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

/** A warning on a real database, where users wait for mail. */
export function logMailDelivery({ SMTP_URL, embedded }: Env): void {
  if (SMTP_URL) return
  const text = `SMTP_URL is not set: mail is written to ${outboxFolder()}`
  if (embedded) log().info(text)
  else log().warn(text)
}

export function outboxFolder(): string {
  return join(env().DATA_DIR, 'outbox')
}

/** Readable by its owner only, because its link signs a user in. */
async function writeToOutbox(mail: SendMailOptions): Promise<string> {
  const part = await writePart(mail)
  const file = part.replace(/\.part$/, '')
  // Renamed when complete, so that readers never see half a message.
  await rename(part, file)
  return file
}

/** The work of `writeToOutbox` for a message that is not sent. */
async function discardFromOutbox(mail: SendMailOptions): Promise<{ discarded: true }> {
  await rm(await writePart(mail))
  return { discarded: true }
}

async function writePart(mail: SendMailOptions): Promise<string> {
  const message = await composeMime(mail)
  const folder = outboxFolder()
  makeFolder(folder)
  const timestamp = new Date().toISOString().replaceAll(':', '.')
  const part = join(folder, `${timestamp}-${crypto.randomUUID().slice(0, 8)}.eml.part`)
  await writeFile(part, message, { mode: 0o600 })
  return part
}

async function composeMime(mail: SendMailOptions) {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
  return message
}

/** Newest first. */
export async function readOutbox(max = 50): Promise<(ParsedMessage & { id: string })[]> {
  const names = await readdir(outboxFolder()).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  const newest = files.slice(-max).reverse()
  return Promise.all(
    newest.map(async (id) => ({
      id,
      ...(await parseMessage(await readFile(join(outboxFolder(), id), 'utf8'))),
    })),
  )
}
