import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { users } from '@/core/db/schema'
import { runMutation } from '@/core/guard/mutation'
import type { SignedInScope } from '@/core/guard/policy'
import type { ActionError } from '@/core/ui/action-result'
import { mayUseAccount } from '../policy'

export async function updateProfile(
  scope: SignedInScope,
  { name }: { name: string },
): Promise<{ name: string } | ActionError> {
  const { id } = scope.session.user
  return runMutation(
    scope,
    { name: 'update_profile', authorize: mayUseAccount, target: id },
    async (transaction) => {
      await transaction.update(users).set({ name, updatedAt: sql`now()` }).where(eq(users.id, id))
      return { name }
    },
  )
}
