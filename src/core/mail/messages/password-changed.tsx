import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { LinkButton, MessageLayout, Paragraph, SmallPrint } from './message-layout'
import { renderMessage } from './render-message'

export function passwordChanged(to: string, origin: string): Promise<Message> {
  return renderMessage(
    to,
    'Your password was changed',
    <MessageLayout
      preview="You were signed out on your other devices."
      title="Your password was changed"
    >
      <Paragraph>
        Your password was just changed, and you were signed out on your other devices. If this was
        you, there is nothing to do.
      </Paragraph>
      <Paragraph>If this was not you, reset your password now:</Paragraph>
      <LinkButton href={`${origin}/forgot`}>Reset password</LinkButton>
      <SmallPrint>Then contact your administrator.</SmallPrint>
    </MessageLayout>,
  )
}
