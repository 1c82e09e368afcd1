import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { type ParsedMessage, parseMessage } from '../../../src/core/mail/parse-message'

/** The outbox of the production server; see scripts/testing/runners.mjs. */
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

/** The path of the link in the newest message. Its host is that of AUTH_URL. */
export async function linkTo(email: string, count = 1, outbox = sharedOutbox): Promise<string> {
  const newest = (await messagesTo(email, count, outbox)).at(-1)
  const found = /https?:\/\/\S+token=\S+/.exec(newest?.text ?? '')?.[0]
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
