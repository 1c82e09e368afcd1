import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { LinkButton, MessageLayout, Paragraph, SmallPrint } from './message-layout'
import { renderMessage } from './render-message'

export function resetPassword(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'Reset your password',
    <MessageLayout preview="The link expires in one hour." title="Reset your password">
      <Paragraph>
        We received a request to reset your password. The link works once and expires in one hour.
        Using it signs you out on all your devices.
      </Paragraph>
      <LinkButton href={link}>Reset password</LinkButton>
      <SmallPrint>
        If you did not request this, you can ignore this email. Your password has not changed.
      </SmallPrint>
    </MessageLayout>,
  )
}
