import { eq, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#db/client'
import { sqlState } from '#db/errors'
import { users } from '#db/schema'

/**
 * The user who has the email, or that it is reserved: an account other than that of `forUser` has left it
 * and may come back to it. One statement, so that the time does not reveal which.
 *
 * @public For modules that take the email of a user.
 */
export async function findEmailOwner(
  reader: Database,
  email: string,
  forUser: string | null = null,
): Promise<{ userId: string | undefined; isReserved: boolean }> {
  const [row] = rowsOf<{ userId: string | null; isReserved: boolean }>(
    await reader.execute(sql`select
      (select id from ${users} where email = ${email}) as "userId",
      email_is_reserved(${email}, ${forUser}) as "isReserved"`),
  )
  const userId = row?.userId ?? undefined
  return { userId, isReserved: userId === undefined && row?.isReserved === true }
}

/**
 * Runs statements that give the email to a user, in a savepoint: the transaction can go on. Undefined
 * if another account has the email, or if it is reserved for one, which a trigger refuses.
 */
export async function unlessEmailTaken<Result>(
  transaction: Database,
  run: (savepoint: Database) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await transaction.transaction(run)
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return undefined
    throw error
  }
}

const uniqueViolation = '23505'

/**
 * The user has proved the email. False if another account has it.
 *
 * @public For modules that change the email of a user.
 */
export async function setEmail(
  transaction: Database,
  userId: string,
  email: string,
): Promise<boolean> {
  const fields = { email, emailVerifiedAt: sql`now()`, updatedAt: sql`now()` }
  const stored = await unlessEmailTaken(transaction, async (savepoint) => {
    await savepoint.update(users).set(fields).where(eq(users.id, userId))
    return true
  })
  return stored ?? false
}
