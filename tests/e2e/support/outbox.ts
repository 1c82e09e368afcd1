import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { type ParsedMessage, parseMessage } from '../../../src/core/mail/parse-message'

/** The outbox of the production server; see scripts/testing/servers.mjs. */
const sharedOutbox = process.env.E2E_OUTBOX ?? '.data/outbox'

/** Waits for `count` messages. Oldest first. */
export async function messagesTo(
  email: string,
  count = 1,
  outbox = sharedOutbox,
): Promise<ParsedMessage[]> {
  const find = async () => (await readAll(outbox)).filter(({ to }) => to === email)
  await expect.poll(async () => (await find()).length, { timeout: 15_000 }).toBe(count)
  return find()
}

/** The path of the link in the newest message. Its host is that of AUTH_URL. */
export async function linkTo(email: string, count = 1, outbox = sharedOutbox): Promise<string> {
  const newest = (await messagesTo(email, count, outbox)).at(-1)
  const found = /https?:\/\/\S+token=\S+/.exec(newest?.text ?? '')?.[0]
  const { pathname, search } = new URL(found ?? 'http://nowhere/no-link')
  return pathname + search
}

async function readAll(folder: string): Promise<ParsedMessage[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return Promise.all(sources.map((source) => parseMessage(source)))
}
