import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { LinkButton, MessageLayout, Paragraph, SmallPrint } from './message-layout'
import { renderMessage } from './render-message'

export function verifyEmail(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'Finish creating your account',
    <MessageLayout preview="Choose your name and a password." title="Finish creating your account">
      <Paragraph>
        Choose your name and a password to finish. The link works once and expires in one day.
      </Paragraph>
      <LinkButton href={link}>Create account</LinkButton>
      <SmallPrint>
        If you did not request this, you can ignore this email. No account is created unless the
        link is used.
      </SmallPrint>
    </MessageLayout>,
  )
}
