import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { createSession } from '#auth/sessions/session'
import { env } from '#config/env'
import type { Database } from '#db/client'
import { accountChanges, accounts, mailQueue, passwords, recoveries, users } from '#db/schema'
import { changeSignIn } from '#recovery/changes'
import { completeRecovery } from '#recovery/complete-recovery'
import { findProvable, followRecoveryLink, storeRecoveryProof } from '#recovery/follow-link'
import { recoveryMail } from '#recovery/recovery-mail'
import { testDatabase } from '#testing/database/database'
import { newScope } from '#testing/scope'

export const hashOf = (name: string) => `$argon2id$${name}`

/** An account with the email a@example.com and a password, new for each test. */
export function testAccount() {
  const db = testDatabase()
  env().AUTH_SECRET ??= 'only-for-tests-'.repeat(3)
  const account = { userId: '' }

  beforeEach(async () => {
    for (const table of [accountChanges, recoveries, mailQueue, users]) {
      await db.database.delete(table)
    }
    const [user] = await db.database
      .insert(users)
      .values({ email: 'a@example.com', name: 'A' })
      .returning({ id: users.id })
    account.userId = user?.id ?? ''
    await db.database.insert(passwords).values({ userId: account.userId, hash: hashOf('first') })
  })

  const change = (run: (transaction: Database) => Promise<unknown>) =>
    db.database.transaction((transaction) =>
      changeSignIn(transaction, { userId: account.userId }, () => run(transaction)),
    )

  const setEmail = (email: string) =>
    change((transaction) =>
      transaction.update(users).set({ email }).where(eq(users.id, account.userId)),
    )

  const setPassword = (name: string) =>
    change((transaction) => transaction.update(passwords).set({ hash: hashOf(name) }))

  const link = (provider: string) =>
    change((transaction) =>
      transaction
        .insert(accounts)
        .values({ provider, providerAccountId: provider, userId: account.userId }),
    )

  const unlink = (provider: string) =>
    change((transaction) => transaction.delete(accounts).where(eq(accounts.provider, provider)))

  /** The links in queued mail to this email, oldest first. */
  async function linksIn(email: string): Promise<string[]> {
    const queued = await db.database.select().from(mailQueue).orderBy(mailQueue.id)
    const tokens = []
    for (const { purpose, ...mail } of queued.filter((mail) => mail.email === email)) {
      const message = await recoveryMail[purpose as keyof typeof recoveryMail](mail)
      const [, token] = /token=([\w-]{43})/.exec(message?.text ?? '') ?? []
      if (token) tokens.push(token)
    }
    return tokens
  }

  async function signIn() {
    const [user] = await db.database.select().from(users).where(eq(users.id, account.userId))
    if (!user) throw new Error('The user does not exist.')
    const { id, email, name, role, theme } = user
    const by = { by: 'password' }
    return createSession(db.database, { id, email, name, role, theme }, newScope(), by)
  }

  return { db, account, setEmail, setPassword, link, unlink, linksIn, signIn }
}

export const newBrowser = () => ({ hash: randomBytes(32) })

export const follow = (token = '', browser = newBrowser(), hasLeftEmail = false) =>
  followRecoveryLink(newScope(), { token, browser, hasLeftEmail })

export async function prove(token = '', browser = newBrowser(), hash = hashOf('first')) {
  const methods = await findProvable(token, 'password')
  const proved = methods.find(({ rows }) => (rows[0] as { hash: string }).hash === hash)
  return storeRecoveryProof(
    newScope(),
    { token, browser, kind: 'password' },
    () => proved && { method: proved },
  )
}

export const complete = (token = '', browser = newBrowser(), given = {}) =>
  completeRecovery(newScope(), {
    token,
    browser,
    hash: hashOf('new'),
    email: undefined,
    kept: [],
    ...given,
  })
