import 'server-only'
import type { Message } from 'plinth/mail/deliver'
import type { ChangeFacts, RecoveryFacts, RejectedFacts } from 'plinth/mail/recovery-messages'
import { button, message, paragraph, smallPrint } from './message'
import type { MessagePart } from './message-layout'

/** To the email that the account had before the change. */
export function changeNotice(to: string, facts: ChangeFacts): Message {
  const sentences = facts.sentences.join(' ')
  return message(to, {
    subject: 'The sign-in to your account was changed',
    preview: sentences,
    parts: [
      paragraph(sentences),
      paragraph(`This was on ${dateText(facts.at)}. If it was you, there is nothing to do.`),
      ...stepsAfterChange(facts),
    ],
  })
}

function stepsAfterChange({ link, confirmed, origin }: ChangeFacts): MessagePart[] {
  if (link) {
    return [
      paragraph(
        'If it was not you, someone else may be using your account. You can lock them out and take it back. The page shows what was changed and explains each step; nothing happens before you confirm it there.',
      ),
      button(link, 'This was not me'),
      smallPrint(
        'You have seven days. The link also works after the email or the password was changed again. Do not forward this email: its link is for you only.',
      ),
    ]
  }
  if (confirmed) {
    return [
      paragraph(
        `It was confirmed with your authenticator app or a passkey. If it was not you, someone else can use one of them. Review your sign-in methods at ${origin}/account/security, or ask an admin to freeze the account.`,
      ),
    ]
  }
  // The account has gone back to an email whose reader can undo all of it.
  return [
    paragraph(
      'If it was not you, ask an admin for help. This email no longer belongs to the account, so it cannot undo the change.',
    ),
  ]
}

/** To each email of the account, the present one and earlier ones. */
export function recoveryNotice(to: string, facts: RecoveryFacts): Message {
  if (facts.openedBy === 'you') return openerNotice(to, facts)
  return facts.openedBy === 'admin' ? frozenByAdmin(to, facts) : objectionNotice(to, facts)
}

const frozen =
  'The account is frozen: all devices are signed out, and no one can sign in or change anything.'

function openerNotice(to: string, facts: RecoveryFacts): Message {
  const { isReminder, openedAt, readyAt, targetEmail, link } = facts
  const proofs =
    to === targetEmail
      ? 'for example with the password that it had before'
      : 'for example with your authenticator app or a passkey'
  const wait = `You do not have to wait if you prove that it is yours, ${proofs}.`
  return message(to, {
    subject: isReminder
      ? 'You can take back your account tomorrow'
      : 'Your account is frozen, and you can take it back',
    preview: 'No one can sign in until you are done.',
    parts: [
      paragraph(
        `On ${dateText(openedAt)} you told us that recent changes to your account were not yours. ${frozen} This is also true for the person who made the changes.`,
      ),
      paragraph(
        readyAt
          ? `You can take back the account on ${dateText(readyAt)}. ${wait}`
          : `An admin decides what happens next. ${wait}`,
      ),
      button(link, 'Open the recovery'),
      smallPrint(
        'If you did not do this, someone else reads mail that we send to you. Change the password of your mailbox, and ask an admin for help.',
      ),
    ],
  })
}

function objectionNotice(to: string, facts: RecoveryFacts): Message {
  const { isReminder, targetEmail, openedAt, readyAt, sentences, link } = facts
  return message(to, {
    subject: isReminder
      ? 'One day left to object: recent changes to your account will be undone'
      : 'Someone wants to undo recent changes to your account',
    preview: 'Were the changes yours? Then object.',
    parts: [
      paragraph(
        `The recovery of your account was opened from another email on ${dateText(openedAt)}. ${frozen}`,
      ),
      changes(sentences),
      paragraph(
        readyAt
          ? `If no one objects, they are undone after ${dateText(readyAt)}, and the account belongs to the reader of ${targetEmail}.`
          : 'An admin decides whether they are undone.',
      ),
      paragraph(
        `If you opened the recovery yourself, there is nothing to do. If these changes were yours, and someone else wants to undo them, object${readyAt ? ' before then' : ''}. The page explains each step.`,
      ),
      button(link, 'See the recovery'),
      smallPrint('This link works until the recovery ends. It is for you only.'),
    ],
  })
}

function frozenByAdmin(to: string, { openedAt, sentences, link }: RecoveryFacts): Message {
  return message(to, {
    subject: 'An admin has frozen your account',
    preview: 'Recent changes to it are being checked.',
    parts: [
      paragraph(
        `On ${dateText(openedAt)} an admin froze your account, because someone else may have changed it. All devices are signed out, and no one can sign in or change anything.`,
      ),
      changes(sentences),
      paragraph(
        'The admin decides whether they are undone. On this page you can say that the account is yours, and prove it:',
      ),
      button(link, 'See the recovery'),
      smallPrint('This link works until the recovery ends. It is for you only.'),
    ],
  })
}

const maxSentences = 8

function changes(sentences: readonly string[]): MessagePart {
  const rest = sentences.length - maxSentences
  const more = rest > 0 ? ` And ${rest} more.` : ''
  return paragraph(`These are the changes: ${sentences.slice(0, maxSentences).join(' ')}${more}`)
}

/** In UTC: the server does not know where the reader is. */
function dateText(at: Date): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-US', format).format(at)} UTC`
}

export function recoveryAllowed(to: string, link: string): Message {
  return message(to, {
    subject: 'You can take back your account',
    preview: 'An admin has decided for you.',
    parts: [
      paragraph(
        'An admin has looked at the recent changes to your account, and decided that you may take it back. The page shows what is undone before you confirm it.',
      ),
      button(link, 'Take back my account'),
      smallPrint(
        'You have seven days. Until you are done, no one can sign in; after that the account stays as it is now. If you did not ask for this, do not use the link, and tell the admin.',
      ),
    ],
  })
}

/** An admin has decided against it, or no one has completed it. */
export function recoveryRejected(to: string, { isOpener, isCurrent }: RejectedFacts): Message {
  const ownChanges = paragraph(
    'If there are changes that you did not make, use “This was not me” in the email that told you about them. Its link works for seven more days.',
  )
  return message(to, {
    subject: 'The recovery of your account has ended',
    preview: 'The recent changes stay.',
    parts: [
      paragraph(
        'An admin has decided against it, or it was not completed within seven days. The account is no longer frozen, and the recent changes stay.',
      ),
      paragraph(
        isCurrent
          ? 'You can sign in again.'
          : 'This email does not belong to the account. If the account is yours, ask an admin for help.',
      ),
      ...(isOpener ? [] : [ownChanges]),
    ],
  })
}

export function recoveryCompleted(to: string, { isNow }: { isNow: boolean }): Message {
  return message(to, {
    subject: isNow ? 'You have your account back' : 'The recovery of an account is complete',
    preview: 'Recent changes were undone.',
    parts: [
      paragraph(
        'The recent changes to the account were undone: sign-in methods that were added are removed, and removed ones are back. All devices were signed out, and earlier passwords and recovery codes no longer work.',
      ),
      paragraph(
        isNow
          ? 'Check your linked accounts and second factors, and change your password wherever else you used the old one. If it was not you who took back the account, ask an admin for help now.'
          : 'This email does not belong to the account any more, and all links about it have ended. If the account is yours, ask an admin for help.',
      ),
    ],
  })
}
