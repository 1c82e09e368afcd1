import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { LinkButton, MessageLayout, Paragraph, SmallPrint } from './message-layout'
import { renderMessage } from './render-message'

export function alreadyRegistered(to: string, origin: string, query = ''): Promise<Message> {
  return renderMessage(
    to,
    'You already have an account',
    <MessageLayout preview="Sign in, or reset your password." title="You already have an account">
      <Paragraph>
        We received a request to create an account with this email, but an account already exists.
        Sign in, or reset your password if you forgot it.
      </Paragraph>
      <LinkButton href={`${origin}/sign-in${query}`}>Sign in</LinkButton>
      <Paragraph>Reset your password: {`${origin}/forgot${query}`}</Paragraph>
      <SmallPrint>
        If you did not request this, you can ignore this email. Nothing has changed.
      </SmallPrint>
    </MessageLayout>,
  )
}
