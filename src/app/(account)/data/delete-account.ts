import 'server-only'
import { deleteUser } from '@/core/auth/delete-user'
import { normaliseEmail } from '@/core/auth/email'
import { isRefusal, type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { mayUseAccount } from '../policy'
import { provePassword } from './prove-password'

type Farewell = { confirmation: string; currentPassword: string | undefined }

/** One's own account, for good. The last admin is refused by the database itself. */
export async function deleteAccount(
  scope: SignedInScope,
  { confirmation, currentPassword }: Farewell,
): Promise<{ deleted: boolean } | Refusal> {
  const { id, email } = scope.session.user
  if (normaliseEmail(confirmation) !== email) {
    const message = 'This is not your e-mail address.'
    return refuse('invalid', undefined, [{ field: 'confirmation', message }])
  }
  const proof = await provePassword(scope, 'delete_account', currentPassword)
  if (isRefusal(proof)) return proof
  return change(
    scope,
    { name: 'delete_account', who: mayUseAccount, target: id },
    async (transaction) => ({ deleted: await deleteUser(transaction, id) }),
  )
}
