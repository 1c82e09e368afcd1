import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { users } from '@/core/db/schema'
import type { Refusal } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { mayUseAccount } from '../policy'

export async function updateProfile(
  scope: SignedInScope,
  { name }: { name: string },
): Promise<{ name: string } | Refusal> {
  const { id } = scope.session.user
  return change(
    scope,
    { name: 'update_profile', who: mayUseAccount, target: id },
    async (transaction) => {
      await transaction.update(users).set({ name, updatedAt: sql`now()` }).where(eq(users.id, id))
      return { name }
    },
  )
}
