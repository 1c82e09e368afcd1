import 'server-only'
import { findEmailOwner } from 'plinth/auth/accounts/email-owner'
import { database } from 'plinth/db/client'
import { mail } from 'plinth/mail/mail'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { accountNotice, emailReserved } from '@/mail/account-messages'
import { confirmEmail } from '../mail/messages'
import { createConfirmation } from './email-changes'

const changeData = z.object({ changeId: z.uuid() })

/** To the new email. If it has an account, only its owner learns that. */
export const confirmEmailMail = mail(
  { purpose: 'security.confirm_email', data: changeData },
  async ({ email, data: { changeId }, origin }) => {
    const confirmation = await createConfirmation({ id: changeId, email })
    if (!confirmation) return undefined
    if (confirmation.isTaken) return wantedNotice(email, origin)
    const { token } = confirmation
    return confirmEmail(email, origin + urlWith('/account/email/confirm', { token }))
  },
)

async function wantedNotice(email: string, origin: string) {
  const { isReserved } = await findEmailOwner(database(), email)
  if (isReserved) return emailReserved(email)
  return accountNotice(email, {
    title: 'Someone wanted to use your email',
    text: 'Someone entered your email as the new email of another account. It belongs to your account, so nothing has changed. If this was you, use another email there.',
    link: { href: `${origin}/account/security`, label: 'Review your security settings' },
  })
}
