import 'server-only'
import { deleteUserLinks } from '@/core/auth/accounts/links'
import { hashPassword } from '@/core/auth/passwords/hash'
import { passwordError } from '@/core/auth/passwords/rules'
import { storePassword } from '@/core/auth/passwords/store'
import { createSession, type NewSession, revokeUserSessions } from '@/core/auth/sessions/session'
import { runMutation } from '@/core/guard/mutation'
import type { SignedInScope } from '@/core/guard/policy'
import { queueMail } from '@/core/mail/queue'
import { wakeMailWorker } from '@/core/mail/wake'
import { type ActionError, isActionError, refuse } from '@/core/ui/action-result'
import { mayUseAccount } from '../policy'
import { verifyCurrentPassword } from './verify-current-password'

type PasswordChange = { currentPassword: string; newPassword: string }

/**
 * One transaction stores the password, revokes every session and creates a new one: anyone who knew
 * the old password is signed out, and a leaked session token stops working.
 */
export async function changePassword(
  scope: SignedInScope,
  { currentPassword, newPassword }: PasswordChange,
  userAgent: string | undefined,
): Promise<NewSession | 'no_password' | ActionError> {
  const { id, email } = scope.session.user
  const verified = await verifyCurrentPassword(scope, 'change_password', currentPassword)
  if (verified !== 'verified') return verified
  const message =
    newPassword === currentPassword
      ? 'The new password must differ from the current one.'
      : passwordError(newPassword, email)
  if (message) return refuse('invalid', undefined, [{ field: 'newPassword', message }])
  const hash = await hashPassword(newPassword)
  const renewed = await runMutation(
    scope,
    { name: 'change_password', authorize: mayUseAccount, target: id },
    async (transaction, { session, ip }) => {
      await storePassword(transaction, id, hash)
      await revokeUserSessions(transaction, id)
      // A reset link sent earlier would let its holder set another password.
      await deleteUserLinks(transaction, id)
      await queueMail(transaction, { purpose: 'password_changed', email })
      return createSession(transaction, session.user, { ip, userAgent })
    },
  )
  if (!isActionError(renewed)) wakeMailWorker()
  return renewed
}
