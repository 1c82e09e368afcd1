import 'server-only'
import { database } from 'plinth/db/client'
import { databaseNow } from 'plinth/db/clock'
import type { Scope } from 'plinth/http/scope'
import {
  checkRateLimit,
  hashKey,
  type Limit,
  type RateLimitResult,
  resetUses,
} from 'plinth/rate-limits/rate-limit'
import { type Browser, findRecoveryLink } from 'plinth/recovery/account'
import { findProvable, type Proved, storeRecoveryProof } from 'plinth/recovery/follow-link'
import type { StoredMethod } from 'plinth/recovery/methods'
import type { SignInCredential } from '../../fields'
import { limitsOf } from './complete-sign-in'
import { decrypt } from './encryption'
import { verifyPasskey } from './passkey-sign-in'
import { hashTyped } from './recovery-codes'
import { findStep } from './totp'

/** Judges a proof by the methods before the changes. Their rows may be in the change history only. */
export type Judge = (methods: readonly StoredMethod[]) => Proved | undefined

type CodeProof = { token: string; browser: Browser; kind: 'app' | 'codes'; judge: Judge }

/** Whether the code is right, unless there were too many tries. */
export async function tryRecoveryProof(
  scope: Scope,
  { judge, ...proving }: CodeProof,
): Promise<boolean | { refused: RateLimitResult }> {
  const limits = await limitsFor(scope, proving.token)
  for (const { name, rateLimit, key } of limits) {
    const result = await checkRateLimit(name, rateLimit, key)
    if (!result.allowed) return { refused: result }
  }
  const isProved = await storeRecoveryProof(scope, proving, judge)
  if (isProved) for (const limit of limits) await resetUses(limit)
  return isProved
}

/** A link has few tries. Those of a sign-in count too, for the account. */
const triesOfLink = { times: 10, seconds: 24 * 60 * 60 }

async function limitsFor(scope: Scope, token: string): Promise<Limit[]> {
  const link = await findRecoveryLink(database(), token)
  const ofLink = { name: 'recovery-proofs', rateLimit: triesOfLink, key: hashKey(token) }
  return [ofLink, ...(link ? limitsOf(scope, { id: link.userId, email: link.email }) : [])]
}

type Times = { last_used_at: string | null }

/** Rows as JSON: `bytea` is text with the prefix `\\x`. */
type AppRow = Times & { user_id: string; secret: string; key_id: string; last_step: number }
type CodeRow = { code_hash: string; used_at: string | null }
type PasskeyRow = Times & {
  id: string
  user_id: string
  public_key: string
  counter: number
  synced: boolean
}

const bytesOf = (text: string) => Buffer.from(text.slice(2), 'hex')

const timeNow = () => new Date(databaseNow()).toISOString()

/** A code that was accepted once, here or at a sign-in, is not accepted again. */
export function judgeAppCode(code: string): Judge {
  return ([method]) => {
    const app = method?.rows[0] as AppRow | undefined
    const encrypted = app && { secret: bytesOf(app.secret), keyId: app.key_id }
    const secret = encrypted && decrypt(encrypted, app.user_id)
    if (!method || !app || !secret) return undefined
    const step = findStep(secret, code, { now: databaseNow(), lastStep: app.last_step })
    if (step === undefined) return undefined
    return { method, rowsAfter: [{ ...app, last_step: step, last_used_at: timeNow() }] }
  }
}

/** Marked as used although all codes end with the recovery: it may be rejected. */
export function judgeRecoveryCode(typed: string): Judge {
  const hash = `\\x${hashTyped(typed).toString('hex')}`
  return (methods) => {
    const isTyped = ({ code_hash, used_at }: CodeRow) => code_hash === hash && used_at === null
    const method = methods.find(({ rows }) => (rows as CodeRow[]).some(isTyped))
    if (!method) return undefined
    const rowsAfter = (method.rows as CodeRow[]).map((row) =>
      isTyped(row) ? { ...row, used_at: timeNow() } : row,
    )
    return { method, rowsAfter }
  }
}

/** Verifies the signature before the transaction, and the counter in it. */
export async function judgePasskey(token: string, credential: SignInCredential): Promise<Judge> {
  const used = await verifyPasskey(credential, (id) => findPasskey(token, id))
  if ('reason' in used) return () => undefined
  const { id, counter, synced } = used
  return (methods) => {
    const method = methods.find((passkey) => passkey.id === id)
    const row = method?.rows[0] as PasskeyRow | undefined
    if (!method || !row) return undefined
    // Passkeys that are synced do not count.
    const hasGrown = counter > row.counter || (counter === 0 && row.counter === 0)
    if (!hasGrown) return undefined
    return { method, rowsAfter: [{ ...row, counter, synced, last_used_at: timeNow() }] }
  }
}

async function findPasskey(token: string, id: string) {
  const methods = await findProvable(token, 'passkey')
  const row = methods.find((passkey) => passkey.id === id)?.rows[0] as PasskeyRow | undefined
  if (!row) return undefined
  const { user_id: userId, counter } = row
  return { id, userId, publicKey: bytesOf(row.public_key), counter }
}
