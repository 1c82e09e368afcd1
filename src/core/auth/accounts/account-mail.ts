import 'server-only'
import { findUserId } from '@/core/auth/accounts/find-user-id'
import { createLink, type LinkPurpose, linkUrl } from '@/core/auth/accounts/links'
import { env } from '@/core/config/env'
import { database } from '@/core/db/client'
import type { AccountMailPurpose } from '@/core/mail/queue'
import type { ComposeMail } from '@/core/mail/send-due'

/**
 * Each decides when the mail is sent whether the email has an account, and creates the link, which
 * then exists in the message only. The renderer is slow to load and takes memory, so the first
 * message loads it.
 */
export const accountMail: Readonly<Record<AccountMailPurpose, ComposeMail>> = {
  sign_up: async ({ email }) => {
    const { AUTH_URL, SIGN_UP } = env()
    const userId = await findUserId(database(), email)
    if (userId) {
      const { alreadyRegistered } = await import('@/core/mail/messages/already-registered')
      return alreadyRegistered(email, AUTH_URL)
    }
    if (SIGN_UP !== 'open') return undefined
    const { verifyEmail } = await import('@/core/mail/messages/verify-email')
    return verifyEmail(email, await newLink('verify_email', email))
  },

  invitation: async ({ email }) => {
    if (env().SIGN_UP === 'closed' || (await findUserId(database(), email))) return undefined
    const { invitation } = await import('@/core/mail/messages/invitation')
    return invitation(email, await newLink('invitation', email))
  },

  reset_password: async ({ email }) => {
    const userId = await findUserId(database(), email)
    if (!userId) return undefined
    const { resetPassword } = await import('@/core/mail/messages/reset-password')
    return resetPassword(email, await newLink('reset_password', email, userId))
  },

  password_changed: async ({ email }) => {
    if (!(await findUserId(database(), email))) return undefined
    const { passwordChanged } = await import('@/core/mail/messages/password-changed')
    return passwordChanged(email, env().AUTH_URL)
  },
}

async function newLink(
  purpose: LinkPurpose,
  email: string,
  userId: string | null = null,
): Promise<string> {
  return linkUrl(purpose, await createLink(database(), purpose, { email, userId }))
}
