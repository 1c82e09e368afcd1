import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { type ParsedMessage, parseMessage } from '#mail/parse-message'

/** The outbox of the production server; see packages/plinth/scripts/testing/runners.mjs. */
const sharedOutbox = process.env.E2E_OUTBOX ?? '.data/outbox'

/** Waits for `count` messages. Oldest first. */
export async function messagesTo(
  email: string,
  count = 1,
  outbox = sharedOutbox,
): Promise<ParsedMessage[]> {
  const find = async () => (await readAll(outbox)).filter(({ to }) => to === email)
  const options = { timeout: 15_000, intervals: [50, 100, 200] }
  await expect.poll(async () => (await find()).length, options).toBe(count)
  return find()
}

/** Waits for the newest message with this subject. Other modules may send other mail. */
export async function messageAbout(email: string, subject: string): Promise<ParsedMessage> {
  const find = async () =>
    (await readAll(sharedOutbox)).filter((mail) => mail.to === email && mail.subject === subject)
  await expect.poll(async () => (await find()).length, { timeout: 15_000 }).toBeGreaterThan(0)
  return (await find()).at(-1) as ParsedMessage
}

/** The path of the link in the newest message. */
export async function linkTo(email: string, count = 1, outbox = sharedOutbox): Promise<string> {
  return linkIn((await messagesTo(email, count, outbox)).at(-1))
}

/** The path of the link in a message. Its host is that of AUTH_URL. */
export function linkIn(message: ParsedMessage | undefined): string {
  const found = /https?:\/\/\S+token=\S+/.exec(message?.text ?? '')?.[0]
  const { pathname, search } = new URL(found ?? 'http://nowhere/no-link')
  return pathname + search
}

const parsed = new Map<string, Promise<ParsedMessage>>()

/** Each file is read once: an outbox has the mail of all tests. */
async function readAll(folder: string): Promise<ParsedMessage[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(files.map((name) => readOnce(join(folder, name))))
}

function readOnce(file: string): Promise<ParsedMessage> {
  const message = parsed.get(file) ?? readFile(file, 'utf8').then(parseMessage)
  parsed.set(file, message)
  return message
}
