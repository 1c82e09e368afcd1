import { slot } from '#config/slot'
import type { Message } from '#mail/deliver'

export type ChangeFacts = {
  at: Date
  /** Descriptions of the change, the most important one first. */
  sentences: readonly string[]
  /** The user gave an older factor for it. */
  confirmed: boolean
  origin: string
  /** Undefined if the reader of this email cannot undo it. */
  link?: string
}

export type RecoveryFacts = {
  /** The wait ends in a day. */
  isReminder: boolean
  /** `you`: the reader of this mail. */
  openedBy: 'you' | 'another' | 'admin'
  openedAt: Date
  /** The account gets it back. */
  targetEmail: string
  /** Undefined if an admin decides. */
  readyAt: Date | undefined
  /** Descriptions of the changes that would be undone. */
  sentences: readonly string[]
  link: string
}

export type RejectedFacts = {
  /** The link of this email has opened it. */
  isOpener: boolean
  /** It is the account's email. */
  isCurrent: boolean
}

/** The messages about recovery, which the app words. */
export type RecoveryMessages = {
  /** To the email that the account had before the change. */
  changeNotice(to: string, facts: ChangeFacts): Message
  /** To each email of the account, the present one and earlier ones. */
  recoveryNotice(to: string, facts: RecoveryFacts): Message
  recoveryAllowed(to: string, link: string): Message
  /** An admin has decided against it, or the user has not completed it. */
  recoveryRejected(to: string, facts: RejectedFacts): Message
  recoveryCompleted(to: string, facts: { isNow: boolean }): Message
}

export const recoveryMessages = slot<RecoveryMessages>('recoveryMessages')
