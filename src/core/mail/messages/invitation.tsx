import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { LinkButton, MessageLayout, Paragraph, SmallPrint } from './message-layout'
import { renderMessage } from './render-message'

export function invitation(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'You have been invited',
    <MessageLayout preview="Choose your name and a password." title="You have been invited">
      <Paragraph>
        You have been invited to create an account. Choose your name and a password. The link works
        once and expires in seven days.
      </Paragraph>
      <LinkButton href={link}>Create account</LinkButton>
      <SmallPrint>If you did not expect this invitation, you can ignore this email.</SmallPrint>
    </MessageLayout>,
  )
}
