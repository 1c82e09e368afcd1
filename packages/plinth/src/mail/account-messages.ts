import { slot } from '#config/slot'
import type { Message } from '#mail/deliver'

/** A code that confirms a change, such as of the email. */
export type ChangeCode = { code: string; what: string; minutes: number; resetUrl: string }

/** The messages about accounts, which the app words. */
export type AccountMessages = {
  verifyEmail(to: string, link: string): Promise<Message>
  alreadyRegistered(to: string, origin: string, query: string): Promise<Message>
  /** To a user who wants an email that another account has left. */
  emailReserved(to: string): Promise<Message>
  invitation(to: string, link: string): Promise<Message>
  resetPassword(to: string, link: string): Promise<Message>
  confirmChange(to: string, code: ChangeCode): Promise<Message>
  /** To a user who asked for a new password while the account is frozen. */
  frozenNotice(to: string, link: string): Promise<Message>
}

/** Loaded with the first mail, because the renderer is slow to load. */
export const accountMessages = slot<() => Promise<AccountMessages>>('accountMessages')
