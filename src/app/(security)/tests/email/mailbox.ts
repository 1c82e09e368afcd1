import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountMail } from 'plinth/auth/accounts/account-mail'
import { env } from 'plinth/config/env'
import type { Database } from 'plinth/db/client'
import { mailQueue } from 'plinth/db/schema'
import { readOutbox } from 'plinth/mail/deliver'
import { mailOfModules } from 'plinth/mail/mail'
import { sendDueMail } from 'plinth/mail/worker'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { module } from '../../module'

const mail = { ...accountMail, ...mailOfModules([module]) }

/** Sends what is queued, as the server does, to a folder of its own. */
export function testMailbox(db: { readonly database: Database }) {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-mailbox-'))
  const { DATA_DIR } = env()
  beforeAll(() => {
    Object.assign(env(), { DATA_DIR: folder })
  })
  afterEach(async () => {
    await db.database.delete(mailQueue)
    rmSync(join(folder, 'outbox'), { recursive: true, force: true })
  })
  afterAll(() => {
    Object.assign(env(), { DATA_DIR })
    rmSync(folder, { recursive: true, force: true })
  })

  /** All messages of this test so far, oldest first. */
  async function receive(to: string) {
    while ((await sendDueMail(mail)) > 0);
    return (await readOutbox()).filter((message) => message.to === to).reverse()
  }

  return {
    receive,
    /** The newest message to a mailbox. */
    newest: async (to: string) => {
      const message = (await receive(to)).at(-1)
      if (!message) throw new Error(`There is no mail to ${to}.`)
      return message
    },
  }
}

export function tokenIn({ text }: { text: string }): string {
  const [, token] = /token=([\w-]{43})/.exec(text) ?? []
  if (!token) throw new Error(`There is no link in: ${text}`)
  return token
}
