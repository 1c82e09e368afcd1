import 'server-only'
import { withdrawLinksOf } from '@/core/auth/links'
import { complaintAbout } from '@/core/auth/new-password'
import { hashPassword } from '@/core/auth/password'
import { createSession, endSessionsOf, type NewSession } from '@/core/auth/sessions'
import { storePassword } from '@/core/auth/store-password'
import { isRefusal, type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { queueMail } from '@/core/mail/queue'
import { sendSoon } from '@/core/mail/wake'
import { mayUseAccount } from '../policy'
import { provePassword } from './prove-password'

type Wish = { currentPassword: string; newPassword: string }

/**
 * In one transaction the new password is stored, every session ends and one begins: whoever knew
 * the old password is out at once, and a token that was seen somewhere is worth nothing.
 */
export async function changePassword(
  scope: SignedInScope,
  { currentPassword, newPassword }: Wish,
  userAgent: string | undefined,
): Promise<NewSession | 'no_password' | Refusal> {
  const { id, email } = scope.session.user
  const proof = await provePassword(scope, 'change_password', currentPassword)
  if (proof !== 'proved') return proof
  const complaint =
    newPassword === currentPassword
      ? 'This is the password that you have.'
      : complaintAbout(newPassword, email)
  if (complaint) return refuse('invalid', undefined, [{ field: 'newPassword', message: complaint }])
  const hash = await hashPassword(newPassword)
  const renewed = await change(
    scope,
    { name: 'change_password', who: mayUseAccount, target: id },
    async (transaction, { session, address }) => {
      await storePassword(transaction, id, hash)
      await endSessionsOf(transaction, id)
      // A link that somebody asked for before would set another one.
      await withdrawLinksOf(transaction, id)
      await queueMail(transaction, { purpose: 'password_changed', email })
      return createSession(transaction, session.user, { address, userAgent })
    },
  )
  if (!isRefusal(renewed)) sendSoon()
  return renewed
}
