import 'server-only'
import { eq } from 'drizzle-orm'
import { createLink, type LinkPurpose, linkAddress } from '@/core/auth/links'
import { database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import { env } from '@/core/env'
import type { Message } from '@/core/mail/deliver'
import type { WaitingMail } from '@/core/mail/queue'

/**
 * What to send, decided when it is sent: whether the address has an account, and the link, which is
 * made now and exists in no other place than the message. Undefined: there is nothing to say.
 */
export async function compose({ purpose, email }: WaitingMail): Promise<Message | undefined> {
  const { AUTH_URL, SIGN_UP } = env()
  const [user] = await database().select({ id: users.id }).from(users).where(eq(users.email, email))
  const newLink = async (kind: LinkPurpose) =>
    linkAddress(kind, await createLink(database(), kind, { email, userId: user?.id ?? null }))

  // What renders them takes a while to load and room to keep, so it is loaded by the first message.
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
