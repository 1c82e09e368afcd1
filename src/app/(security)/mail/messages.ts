import 'server-only'
import type { Message } from 'plinth/mail/deliver'
import { button, message, paragraph, smallPrint } from '@/mail/message'

type SignInLink = { link: string; code: string; minutes: number }

export function signInLink(to: string, { link, code, minutes }: SignInLink): Message {
  return message(to, {
    subject: 'Your sign-in link',
    preview: `The link expires in ${minutes} minutes.`,
    title: 'Sign in',
    parts: [
      paragraph(
        `Use the button to sign in on this device. It works once and expires in ${minutes} minutes.`,
      ),
      button(link, 'Sign in'),
      paragraph(
        `To sign in on the device where you asked for this email, enter this code there: ${code}`,
      ),
      smallPrint(
        'Do not give the code to anyone. If you did not request this, you can ignore this email. No one is signed in unless the link or the code is used.',
      ),
    ],
  })
}

export function confirmEmail(to: string, link: string): Message {
  return message(to, {
    subject: 'Confirm your new email',
    preview: 'The link expires in one day.',
    parts: [
      paragraph(
        'We received a request to use this email for an account. Sign in to the account and confirm the change. The link works once and expires in one day.',
      ),
      button(link, 'Confirm email'),
      smallPrint('If you did not request this, you can ignore this email. Nothing has changed.'),
    ],
  })
}
