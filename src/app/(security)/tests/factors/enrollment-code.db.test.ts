import { eq } from 'drizzle-orm'
import { consumeMailCode, tryMailCode } from 'plinth/auth/accounts/mail-codes'
import { fromNow } from 'plinth/db/clock'
import { testDatabase } from 'plinth/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeForEnrollment, enrollmentCodeMail } from '../../data/enrollment-code'
import {
  challengeId,
  createChallenge,
  findChallenge,
  mayEnroll,
  proveMailbox,
} from '../../data/factors/challenges'
import { signInChallenges } from '../../schema'
import { newUser } from '../users'

const db = testDatabase()

let user: Awaited<ReturnType<typeof newUser>>['user']
let token: string
let id: string

/** A sign-in with a provider, which has to set up a factor. */
beforeEach(async () => {
  user = (await newUser(db.database)).user
  token = await createChallenge(db.database, { user, by: 'github' })
  id = challengeId(token)
})

const compose = (email = user.email) =>
  enrollmentCodeMail.compose({ email, data: { challenge: id } })

async function sentCode(): Promise<string> {
  const { text = '' } = (await compose()) ?? {}
  return /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(text)?.[0] ?? ''
}

test.each([
  ['password', true],
  ['link', true],
  ['github', false],
  ['google', false],
])('a sign-in with %s may add the first factor: %s', async (by, expected) => {
  const started = await findChallenge(await createChallenge(db.database, { user, by }))
  expect(started && mayEnroll(started)).toBe(expected)
})

describe('the code by mail', () => {
  test('lets the sign-in add a factor, and there is time again for it', async () => {
    await db.database
      .update(signInChallenges)
      .set({ expiresAt: fromNow(60_000) })
      .where(eq(signInChallenges.userId, user.id))
    const confirms = codeForEnrollment(id, user.email)
    const hash = await tryMailCode(confirms, await sentCode())
    expect(hash && (await consumeMailCode(db.database, confirms, hash))).toBe(true)
    expect(await proveMailbox(db.database, token)).toBe(true)
    const proved = await findChallenge(token)
    expect(proved && mayEnroll(proved)).toBe(true)
    const [row] = await db.database
      .select()
      .from(signInChallenges)
      .where(eq(signInChallenges.userId, user.id))
    expect(row?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 2 * 60_000)
  })

  test('is for one sign-in', async () => {
    const code = await sentCode()
    const other = challengeId(await createChallenge(db.database, { user, by: 'github' }))
    expect(await tryMailCode(codeForEnrollment(other, user.email), code)).toBeUndefined()
  })

  test('is sent to the email of the user, while the sign-in waits for it', async () => {
    expect(await compose()).toMatchObject({ to: user.email })
    expect(await compose('another@example.com')).toBeUndefined()
    await db.database.delete(signInChallenges)
    expect(await compose()).toBeUndefined()
    expect(await proveMailbox(db.database, token)).toBe(false)
  })
})
