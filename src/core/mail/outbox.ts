import 'server-only'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { env } from '@/core/config/env'
import { type ParsedMessage, parseMessage } from '@/core/mail/parse-message'

export function outboxFolder(): string {
  return join(env().DATA_DIR, 'outbox')
}

/** Readable by its owner only, because its link signs a user in. */
export async function writeToOutbox(mail: SendMailOptions): Promise<string> {
  const part = await writePart(mail)
  const file = part.replace(/\.part$/, '')
  // Renamed when complete, so that readers never see half a message.
  await rename(part, file)
  return file
}

/** The work of `writeToOutbox` for a message that is not sent. */
export async function discardFromOutbox(mail: SendMailOptions): Promise<{ discarded: true }> {
  await rm(await writePart(mail))
  return { discarded: true }
}

async function writePart(mail: SendMailOptions): Promise<string> {
  const message = await composeMime(mail)
  const folder = outboxFolder()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const timestamp = new Date().toISOString().replaceAll(':', '.')
  const part = join(folder, `${timestamp}-${crypto.randomUUID().slice(0, 8)}.eml.part`)
  await writeFile(part, message, { mode: 0o600 })
  return part
}

export async function composeMime(mail: SendMailOptions) {
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
