import 'server-only'
import type { ChangeCode } from 'plinth/mail/account-messages'
import type { Message } from 'plinth/mail/deliver'
import { button, message, paragraph, smallPrint } from './message'

export function verifyEmail(to: string, link: string): Message {
  return message(to, {
    subject: 'Finish creating your account',
    preview: 'Choose your name and a password.',
    parts: [
      paragraph(
        'Choose your name and a password to finish. The link works once and expires in one day.',
      ),
      button(link, 'Create account'),
      smallPrint(
        'If you did not request this, you can ignore this email. No account is created unless the link is used.',
      ),
    ],
  })
}

export function alreadyRegistered(to: string, origin: string, query = ''): Message {
  return message(to, {
    subject: 'You already have an account',
    preview: 'Sign in, or reset your password.',
    parts: [
      paragraph(
        'We received a request to create an account with this email, but an account already exists. Sign in, or reset your password if you forgot it.',
      ),
      button(`${origin}/sign-in${query}`, 'Sign in'),
      paragraph(`Reset your password: ${origin}/forgot${query}`),
      smallPrint('If you did not request this, you can ignore this email. Nothing has changed.'),
    ],
  })
}

export function invitation(to: string, link: string): Message {
  return message(to, {
    subject: 'You have been invited',
    preview: 'Choose your name and a password.',
    parts: [
      paragraph(
        'You have been invited to create an account. Choose your name and a password. The link works once and expires in seven days.',
      ),
      button(link, 'Create account'),
      smallPrint('If you did not expect this invitation, you can ignore this email.'),
    ],
  })
}

export function resetPassword(to: string, link: string): Message {
  return message(to, {
    subject: 'Reset your password',
    preview: 'The link expires in one hour.',
    parts: [
      paragraph(
        'We received a request to reset your password. The link works once and expires in one hour. Using it signs you out on all your devices.',
      ),
      button(link, 'Reset password'),
      smallPrint(
        'If you did not request this, you can ignore this email. Your password has not changed.',
      ),
    ],
  })
}

export function confirmChange(to: string, given: ChangeCode): Message {
  const { code, what, minutes, resetUrl } = given
  return message(to, {
    subject: 'Your code to confirm a change',
    preview: `The code expires in ${minutes} minutes.`,
    parts: [
      paragraph(`You are about to ${what}. Enter this code where you were asked for it: ${code}`),
      paragraph(`It works once and expires in ${minutes} minutes.`),
      smallPrint(
        `Do not give the code to anyone. If this was not you, someone else is signed in to your account. Nothing has changed yet. To sign them out, set a new password: ${resetUrl}`,
      ),
    ],
  })
}

type Notice = {
  title: string
  text: string
  /** To the page where the user can act on it. */
  link: { href: string; label: string }
}

/** The template of every notice about a change to an account. */
export function accountNotice(to: string, { title, text, link }: Notice): Message {
  return message(to, {
    subject: title,
    preview: 'If this was not you, secure your account.',
    parts: [
      paragraph(text),
      paragraph('If this was not you, secure your account now:'),
      button(link.href, link.label),
    ],
  })
}

/** To someone who asked for a new password while the account is frozen. */
export function frozenNotice(to: string, link: string): Message {
  return message(to, {
    subject: 'Your account is frozen',
    preview: 'No new password can be set now.',
    parts: [
      paragraph(
        'We received a request to reset your password. The recovery of the account is open, so no one can sign in or set a new password until it ends.',
      ),
      paragraph('The page of the recovery shows how far it is and what you can do:'),
      button(link, 'Open the recovery'),
      smallPrint('If you did not request this, you can ignore this email. Nothing has changed.'),
    ],
  })
}

/** To someone who wants to use an email that another account has left. */
export function emailReserved(to: string): Message {
  return message(to, {
    subject: 'This email cannot be used yet',
    preview: 'An account had it until recently.',
    parts: [
      paragraph(
        'We received a request to use this email for an account. Another account had it until recently and may still come back to it, so nothing has changed.',
      ),
      paragraph(
        'If that was your account and you did not change it, use “This was not me” in our mail about the change. Otherwise use another email, or try again in a few weeks.',
      ),
      smallPrint('If you did not request this, you can ignore this email.'),
    ],
  })
}
