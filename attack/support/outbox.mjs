import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for the mail to this address and returns the token in its link. */
export async function linkTo(outbox, email) {
  for (let tries = 0; tries < 200; tries += 1) {
    const names = await readdir(outbox).catch(() => [])
    const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
    const found = texts.find((text) => text.includes(email))
    // Long lines are folded with "=" and a line break.
    const token = /token=(?:3D)?([\w-]{20,})/.exec(found?.replace(/=\r?\n/g, '') ?? '')?.[1]
    if (token) return token
    await sleep(50)
  }
  throw new Error(`No mail to ${email} in ${outbox}.`)
}
