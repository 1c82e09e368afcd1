import 'server-only'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { env } from '@/core/env'
import { parseMessage, type ReadMessage } from '@/core/mail/parse-message'

export function outboxFolder(): string {
  return join(env().DATA_DIR, 'outbox')
}

/** As a file that mail programs open; for its owner alone, since its link signs somebody in. */
export async function writeToOutbox(mail: SendMailOptions): Promise<string> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
  const folder = outboxFolder()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const moment = new Date().toISOString().replaceAll(':', '.')
  const file = join(folder, `${moment}-${crypto.randomUUID().slice(0, 8)}.eml`)
  // Whoever lists the folder never finds half a message.
  await writeFile(`${file}.part`, message, { mode: 0o600 })
  await rename(`${file}.part`, file)
  return file
}

/** The newest first, which their names tell. */
export async function readOutbox(atMost = 50): Promise<(ReadMessage & { id: string })[]> {
  const names = await readdir(outboxFolder()).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(
    files
      .slice(-atMost)
      .reverse()
      .map(async (id) => ({
        id,
        ...parseMessage(await readFile(join(outboxFolder(), id), 'utf8')),
      })),
  )
}
