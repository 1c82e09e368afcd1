import 'server-only'
import { eq } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { createLink, linkAddress } from '@/core/auth/links'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'

export type NewAdmin = { created: boolean; link: string }

/**
 * For whoever runs the service and can reach its database anyway: an account that is an admin, and
 * a link to set its password. An account that is there already is made one.
 */
export function createAdmin(email: string): Promise<NewAdmin> {
  return database().transaction(async (transaction) => {
    const [created] = await transaction
      .insert(users)
      .values({ email, name: nameFrom(email), role: 'admin' })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id })
    const [raised] = created
      ? []
      : await transaction
          .update(users)
          .set({ role: 'admin', updatedAt: new Date() })
          .where(eq(users.email, email))
          .returning({ id: users.id })
    const userId = (created ?? raised)?.id
    if (userId === undefined) throw new Error('The account was deleted meanwhile.')
    const token = await createLink(transaction, 'reset_password', { email, userId })
    await record(transaction, {
      action: 'create_admin',
      outcome: 'success',
      targetId: userId,
      address: 'command line',
      requestId: '',
      details: { created: created !== undefined },
    })
    return { created: created !== undefined, link: linkAddress('reset_password', token) }
  })
}

/** Until they choose another. */
function nameFrom(email: string): string {
  return email.slice(0, Math.min(email.indexOf('@'), 100))
}
