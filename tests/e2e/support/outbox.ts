import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { parseMessage, type ReadMessage } from '../../../src/core/mail/parse-message'

/** Where the production server writes its mail; see scripts/testing/servers.mjs. */
const folder = process.env.E2E_OUTBOX ?? '.data/outbox'

/** All messages to an address once there are so many, the oldest first. */
export async function messagesTo(address: string, count = 1): Promise<ReadMessage[]> {
  const find = async () => (await readAll()).filter(({ to }) => to === address)
  await expect.poll(async () => (await find()).length, { timeout: 15_000 }).toBe(count)
  return find()
}

/** Where the link of the newest message leads, as a path: its host is that of AUTH_URL. */
export async function linkTo(address: string, count = 1): Promise<string> {
  const newest = (await messagesTo(address, count)).at(-1)
  const found = /https?:\/\/\S+token=[\w-]+/.exec(newest?.text ?? '')?.[0]
  const { pathname, search } = new URL(found ?? 'http://nowhere/no-link')
  return pathname + search
}

async function readAll(): Promise<ReadMessage[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return sources.map(parseMessage)
}
