import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { Frame, LinkButton, Paragraph, SmallPrint } from './frame'
import { renderMessage } from './render-message'

export function alreadyRegistered(to: string, origin: string): Promise<Message> {
  return renderMessage(
    to,
    'You already have an account',
    <Frame preview="Sign in, or choose a new password." title="You already have an account">
      <Paragraph>
        Somebody, probably you, asked to create an account with this address. There is one already:
        sign in, or choose a new password if you have lost yours.
      </Paragraph>
      <LinkButton href={`${origin}/sign-in`}>Sign in</LinkButton>
      <Paragraph>New password: {`${origin}/forgot`}</Paragraph>
      <SmallPrint>
        It was not you? Nothing has changed, and there is nothing for you to do.
      </SmallPrint>
    </Frame>,
  )
}
