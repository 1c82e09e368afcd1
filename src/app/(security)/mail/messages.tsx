import 'server-only'
import type { Message } from 'plinth/mail/deliver'
import {
  LinkButton,
  MessageLayout,
  Paragraph,
  renderMessage,
  SmallPrint,
} from '@/mail/message-layout'

type SignInLink = { link: string; code: string; minutes: number }

export function signInLink(to: string, { link, code, minutes }: SignInLink): Promise<Message> {
  return renderMessage(
    to,
    'Your sign-in link',
    <MessageLayout preview={`The link expires in ${minutes} minutes.`} title="Sign in">
      <Paragraph>
        Use the button to sign in on this device. It works once and expires in {minutes} minutes.
      </Paragraph>
      <LinkButton href={link}>Sign in</LinkButton>
      <Paragraph>
        To sign in on the device where you asked for this email, enter this code there: {code}
      </Paragraph>
      <SmallPrint>
        Do not give the code to anyone. If you did not request this, you can ignore this email. No
        one is signed in unless the link or the code is used.
      </SmallPrint>
    </MessageLayout>,
  )
}

export function confirmEmail(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'Confirm your new email',
    <MessageLayout preview="The link expires in one day." title="Confirm your new email">
      <Paragraph>
        We received a request to use this email for an account. Sign in to the account and confirm
        the change. The link works once and expires in one day.
      </Paragraph>
      <LinkButton href={link}>Confirm email</LinkButton>
      <SmallPrint>
        If you did not request this, you can ignore this email. Nothing has changed.
      </SmallPrint>
    </MessageLayout>,
  )
}
