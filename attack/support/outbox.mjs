import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for the mail to this address and returns the token in its link. */
export async function linkTo(outbox, email) {
  const [token] = await linksTo(outbox, email, '', 1)
  return token
}

/** Waits for this many links to a page in mail to this address. Returns their tokens, oldest first. */
export async function linksTo(outbox, email, page, count) {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = (await readMail(outbox))
      .filter((text) => new RegExp(`^To: .*${email.replaceAll('.', '\\.')}`, 'im').test(text))
      .flatMap(
        (text) => new RegExp(`${page}\\?(?:[^\\s"]*&)?token=([\\w-]{20,})`).exec(text)?.[1] ?? [],
      )
    if (found.length >= count) return found
    await sleep(50)
  }
  throw new Error(`No link to ${page} in mail to ${email} in ${outbox}.`)
}

/** Oldest first. Long lines are folded with "=" and a line break, and "=" is written as "=3D". */
async function readMail(outbox) {
  const files = await readdir(outbox).catch(() => [])
  const names = files.filter((name) => name.endsWith('.eml')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
  return texts.map((text) => text.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
}
