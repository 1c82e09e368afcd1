import 'server-only'
import { deleteUser } from '@/core/auth/accounts/delete-user'
import { normalizeEmail } from '@/core/auth/accounts/email'
import { runMutation } from '@/core/guard/mutation'
import type { SignedInScope } from '@/core/guard/policy'
import { type ActionError, isActionError, refuse } from '@/core/ui/action-result'
import { mayUseAccount } from '../policy'
import { verifyCurrentPassword } from './verify-current-password'

type Confirmation = { confirmation: string; currentPassword: string | undefined }

/** The database refuses to delete the last admin. */
export async function deleteAccount(
  scope: SignedInScope,
  { confirmation, currentPassword }: Confirmation,
): Promise<{ deleted: boolean } | ActionError> {
  const { id, email } = scope.session.user
  if (normalizeEmail(confirmation) !== email) {
    const message = 'The email does not match your account.'
    return refuse('invalid', undefined, [{ field: 'confirmation', message }])
  }
  const verified = await verifyCurrentPassword(scope, 'delete_account', currentPassword)
  if (isActionError(verified)) return verified
  return runMutation(
    scope,
    { name: 'delete_account', authorize: mayUseAccount, target: id },
    async (transaction) => ({ deleted: await deleteUser(transaction, id) }),
  )
}
