import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { createLink, linkUrl } from '@/core/auth/accounts/links'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'

export type NewAdmin = { created: boolean; link: string }

/** For operators with access to the database. Creates the account, or promotes an existing one. */
export function createAdmin(email: string): Promise<NewAdmin> {
  return database().transaction(async (transaction) => {
    const [created] = await transaction
      .insert(users)
      .values({ email, name: nameFrom(email), role: 'admin' })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id })
    const [promoted] = created
      ? []
      : await transaction
          .update(users)
          .set({ role: 'admin', updatedAt: sql`now()` })
          .where(eq(users.email, email))
          .returning({ id: users.id })
    const userId = (created ?? promoted)?.id
    if (userId === undefined) throw new Error('The account was deleted in the meantime.')
    const token = await createLink(transaction, 'reset_password', { email, userId })
    await record(transaction, {
      action: 'create_admin',
      outcome: 'success',
      targetId: userId,
      ip: 'command line',
      requestId: '',
      details: { created: created !== undefined },
    })
    return { created: created !== undefined, link: linkUrl('reset_password', token) }
  })
}

/** A placeholder that the user can change. */
function nameFrom(email: string): string {
  return email.slice(0, Math.min(email.indexOf('@'), 100))
}
