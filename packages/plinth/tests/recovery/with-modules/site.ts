import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type ParsedMessage, parseMessage } from '#mail/parse-message'
import { freshDatabase, onPostgres, openFresh } from '#testing/database/database'
import { allowOrigin, type OAuthServer, startOAuthServer } from '#testing/oauth/oauth-server'
import { freePort, type Server, startServer } from '#testing/server/server'
import { installed } from '../../support/installed-providers'

/** The built server with its database, providers and outbox. */
export type Site = {
  url: string
  providerOf(id: string): OAuthServer
  /** Makes the history and the recovery of these users older, as if time had passed. */
  passTime(users: readonly { userId: string; ms: number }[]): Promise<void>
  mailTo(email: string): Promise<ParsedMessage[]>
  stop(): Promise<void>
}

export async function startSite(): Promise<Site> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  allowOrigin(url)
  const providers = new Map<string, OAuthServer>()
  for (const provider of installed) providers.set(provider.id, await startOAuthServer(provider))
  const fresh = await freshDatabase()
  const folder = fresh.settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'plinth-test-'))
  const settings = {
    ...Object.assign({}, ...[...providers.values()].map((provider) => provider.settings)),
    ...fresh.settings,
    PORT: String(port),
    DATA_DIR: folder,
    AUTH_URL: url,
    TRUST_PROXY: '1',
    SIGN_IN_LINK: 'on',
    SMTP_URL: '',
    DATABASE_TIMEOUT_MS: '20000',
  }
  let server: Server = await startServer(settings)

  return {
    url,
    providerOf(id) {
      const provider = providers.get(id)
      if (!provider) throw new Error(`No authorization server runs for ${id}.`)
      return provider
    },
    async passTime(users) {
      if (users.length === 0) return
      // The embedded database has one process at a time.
      if (!onPostgres) await server.stop()
      const connection = await openFresh(fresh)
      for (const { userId, ms } of users) {
        const span = sql`make_interval(secs => ${ms / 1000})`
        await connection.database.execute(sql`
          update account_changes set at = at - ${span}, delivered_at = delivered_at - ${span},
            ends_at = ends_at - ${span}, held_until = held_until - ${span}
          where user_id = ${userId}`)
        await connection.database.execute(sql`
          update recoveries set opened_at = opened_at - ${span}, ready_at = ready_at - ${span}
          where user_id = ${userId}`)
      }
      await connection.close()
      if (!onPostgres) server = await startServer(settings)
    },
    mailTo: (email) => readMail(join(folder, 'outbox'), email),
    async stop() {
      await server.stop()
      for (const provider of providers.values()) await provider.stop()
      await fresh.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const parsed = new Map<string, Promise<ParsedMessage>>()

/** Oldest first. Each file is read once. */
async function readMail(outbox: string, email: string): Promise<ParsedMessage[]> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const messages = names.sort().map((name) => {
    const file = join(outbox, name)
    const message = parsed.get(file) ?? readFile(file, 'utf8').then(parseMessage)
    parsed.set(file, message)
    return message
  })
  return (await Promise.all(messages)).filter(({ to }) => to === email)
}

/** Waits for a message in which this is found, and returns its first group. */
export async function findInMail(
  site: Site,
  email: string,
  pattern: RegExp,
  isNew: (found: string) => boolean,
): Promise<string> {
  let found: string | undefined
  const find = async () => {
    const texts = (await site.mailTo(email)).map(({ text }) => pattern.exec(text)?.[1])
    found = texts.findLast((text) => text !== undefined && isNew(text))
    return found
  }
  await expect.poll(find, { message: `${pattern} in mail to ${email}` }).toBeDefined()
  return found ?? ''
}
