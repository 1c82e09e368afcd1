import 'server-only'
import { eq } from 'drizzle-orm'
import { createLink, type LinkPurpose, linkUrl } from '@/core/auth/accounts/links'
import { env } from '@/core/config/env'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { Message } from '@/core/mail/deliver'
import type { QueuedMail } from '@/core/mail/queue'

/**
 * Decides when the mail is sent whether the email has an account, and creates the link, which then
 * exists in the message only. Undefined if there is nothing to send.
 */
export async function composeMail({ purpose, email }: QueuedMail): Promise<Message | undefined> {
  const { AUTH_URL, SIGN_UP } = env()
  const [user] = await database().select({ id: users.id }).from(users).where(eq(users.email, email))
  const newLink = async (kind: LinkPurpose) =>
    linkUrl(kind, await createLink(database(), kind, { email, userId: user?.id ?? null }))

  // The renderer is slow to load and takes memory, so the first message loads it.
  switch (purpose) {
    case 'sign_up': {
      if (!user && SIGN_UP !== 'open') return undefined
      const { alreadyRegistered } = await import('@/core/mail/messages/already-registered')
      if (user) return alreadyRegistered(email, AUTH_URL)
      const { verifyEmail } = await import('@/core/mail/messages/verify-email')
      return verifyEmail(email, await newLink('verify_email'))
    }
    case 'invitation': {
      if (user || SIGN_UP === 'closed') return undefined
      const { invitation } = await import('@/core/mail/messages/invitation')
      return invitation(email, await newLink('invitation'))
    }
    case 'reset_password': {
      if (!user) return undefined
      const { resetPassword } = await import('@/core/mail/messages/reset-password')
      return resetPassword(email, await newLink('reset_password'))
    }
    case 'password_changed': {
      if (!user) return undefined
      const { passwordChanged } = await import('@/core/mail/messages/password-changed')
      return passwordChanged(email, AUTH_URL)
    }
  }
}
