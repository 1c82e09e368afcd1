import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database } from 'plinth/db/client'
import { accountChanges, auditEvents, mailQueue, users } from 'plinth/db/schema'
import { changeSignIn } from 'plinth/recovery/changes'
import { completeRecovery } from 'plinth/recovery/complete-recovery'
import { followRecoveryLink, storeRecoveryProof } from 'plinth/recovery/follow-link'
import { recoveryMail } from 'plinth/recovery/recovery-mail'
import { giveAllProofs, newScope } from 'plinth/testing'
import { removeAuthenticatorApp } from '../../actions'
import { deletePasskey } from '../../data/factors/passkeys'
import {
  type Judge,
  judgeAppCode,
  judgePasskey,
  judgeRecoveryCode,
  tryRecoveryProof,
} from '../../data/factors/recovery-proofs'
import type { SignInCredential } from '../../fields'
import { type newUser, succeeded } from '../users'

export const newBrowser = () => ({ hash: randomBytes(32) })

type User = Awaited<ReturnType<typeof newUser>>

/** Steps of a thief and the owner on an account of this database. */
export function recoveringIn(db: { readonly database: Database }) {
  const change = <Result>(userId: string, run: (tx: Database) => Promise<Result>) =>
    db.database.transaction((tx) => changeSignIn(tx, { userId }, () => run(tx)))

  return {
    change,

    /** The present methods are older than every change that follows. */
    async settle(): Promise<void> {
      await db.database.delete(accountChanges)
      await db.database.delete(mailQueue)
    },

    async removeApp({ scope }: User): Promise<void> {
      await giveAllProofs(db.database, scope, 'remove_factor')
      succeeded(await removeAuthenticatorApp.run(scope, {}))
    },

    removePasskey: ({ id }: User, passkeyId: string) =>
      change(id, (tx) => deletePasskey(tx, id, passkeyId)),

    setEmail: ({ id }: User, email: string) =>
      change(id, (tx) => tx.update(users).set({ email }).where(eq(users.id, id))),

    /** The newest link in mail to this email. */
    async linkTo(email: string): Promise<string> {
      const queued = await db.database
        .select()
        .from(mailQueue)
        .where(eq(mailQueue.email, email))
        .orderBy(mailQueue.id)
      const tokens: string[] = []
      for (const { purpose, ...mail } of queued) {
        const compose = recoveryMail[purpose as keyof typeof recoveryMail]
        const [, token] = /token=([\w-]{43})/.exec((await compose?.(mail))?.text ?? '') ?? []
        if (token) tokens.push(token)
      }
      return tokens.at(-1) ?? ''
    },

    async lastEvent() {
      const events = await db.database.select().from(auditEvents).orderBy(auditEvents.id)
      return events.at(-1)
    },
  }
}

export const open = (token: string) =>
  followRecoveryLink(newScope(), { token, browser: newBrowser() })

type Given = { token: string; browser?: { hash: Buffer } }

const tryCode = (kind: 'app' | 'codes', given: Given, judge: Judge) =>
  tryRecoveryProof(newScope(), { browser: newBrowser(), ...given, kind, judge })

export const proveWithApp = (given: Given, code: string) =>
  tryCode('app', given, judgeAppCode(code))

export const proveWithCode = (given: Given, code: string) =>
  tryCode('codes', given, judgeRecoveryCode(code))

export async function proveWithPasskey(given: Given, credential: SignInCredential) {
  const judge = await judgePasskey(given.token, credential)
  const proving = { browser: newBrowser(), ...given, kind: 'passkey' as const }
  return storeRecoveryProof(newScope(), proving, judge)
}

/** With a new password. */
export async function complete({ token, browser = newBrowser() }: Given) {
  const completed = await completeRecovery(newScope(), {
    token,
    browser,
    hash: '$argon2id$new',
    email: undefined,
    kept: [],
  })
  if (completed && 'takenEmail' in completed) throw new Error('The email is taken.')
  return completed
}
