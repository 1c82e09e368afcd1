import 'server-only'
import { desc, sql } from 'drizzle-orm'
import { onCommit } from 'plinth/db/after-commit'
import { type Database, database } from 'plinth/db/client'
import { failedMail, mailQueue } from 'plinth/db/schema'
import { mailWakeUp } from 'plinth/mail/mail'

const maxListed = 20

/** After two minutes of attempts: until then, a mail server that is restarted is no reason to worry. */
const manyAttempts = 3

export async function findUnsentMail() {
  const [mail, failed, [queued]] = await Promise.all([
    listFailedMail(),
    database().$count(failedMail),
    database()
      .select({
        retrying: sql`count(*) filter (where attempts >= ${manyAttempts})`.mapWith(Number),
      })
      .from(mailQueue),
  ])
  return { mail, failed, retrying: queued?.retrying ?? 0 }
}

/** Newest first. */
function listFailedMail() {
  return database()
    .select({
      id: failedMail.id,
      purpose: failedMail.purpose,
      email: failedMail.email,
      attempts: failedMail.attempts,
      reason: failedMail.reason,
      failedAt: failedMail.failedAt,
    })
    .from(failedMail)
    .orderBy(desc(failedMail.failedAt), desc(failedMail.id))
    .limit(maxListed)
}

/** Returns how many there were. One that waits already is not sent twice. */
export async function retryFailedMail(tx: Database): Promise<number> {
  const taken = await tx.delete(failedMail).returning()
  const queued = taken.map(({ purpose, email, data }) => ({ purpose, email, data }))
  if (queued.length > 0) await tx.insert(mailQueue).values(queued).onConflictDoNothing()
  onCommit(mailWakeUp.wake)
  return taken.length
}

/** Returns how many there were. */
export async function deleteFailedMail(tx: Database): Promise<number> {
  return (await tx.delete(failedMail).returning({ id: failedMail.id })).length
}
