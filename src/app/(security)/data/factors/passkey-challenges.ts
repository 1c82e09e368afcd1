import 'server-only'
import { createHash } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { type Database, database } from 'plinth/db/client'
import { fromNow } from 'plinth/db/clock'
import { passkeyChallenges } from '../../schema'

export const passkeyTimeoutMs = 5 * 60 * 1000

/** `userId` is the user who adds a passkey. Undefined for a sign-in, which may be anyone's. */
export async function storePasskeyChallenge(
  writer: Database,
  challenge: string,
  userId: string | undefined,
): Promise<void> {
  await writer.insert(passkeyChallenges).values({
    challengeHash: hashChallenge(challenge),
    userId: userId ?? null,
    expiresAt: fromNow(passkeyTimeoutMs),
  })
}

/**
 * The challenge that a response was made for, if it is one of ours. It is deleted before the response
 * is verified, and outside of any transaction: whatever happens next, a replay finds nothing.
 */
export async function consumePasskeyChallenge(
  clientDataJSON: string,
  userId: string | undefined,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  const isOwn = userId ? eq(passkeyChallenges.userId, userId) : isNull(passkeyChallenges.userId)
  const consumed = await database()
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challengeHash, hashChallenge(challenge)),
        isOwn,
        gt(passkeyChallenges.expiresAt, sql`now()`),
      ),
    )
    .returning({ userId: passkeyChallenges.userId })
  return consumed.length > 0 ? challenge : undefined
}

/** The challenge that the browser signed, as the caller sent it. */
function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

function hashChallenge(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest()
}
