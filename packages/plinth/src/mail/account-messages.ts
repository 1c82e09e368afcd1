import { slot } from '#config/slot'
import type { Message } from '#mail/deliver'

/** A code that confirms a change, such as of the email. */
export type ChangeCode = { code: string; what: string; minutes: number; resetUrl: string }

/** The messages about accounts, which the app words. */
export type AccountMessages = {
  verifyEmail(to: string, link: string): Message
  alreadyRegistered(to: string, origin: string, query: string): Message
  /** To a user who wants an email that another account has left. */
  emailReserved(to: string): Message
  invitation(to: string, link: string): Message
  resetPassword(to: string, link: string): Message
  confirmChange(to: string, code: ChangeCode): Message
  /** To a user who asked for a new password while the account is frozen. */
  frozenNotice(to: string, link: string): Message
}

export const accountMessages = slot<AccountMessages>('accountMessages')
