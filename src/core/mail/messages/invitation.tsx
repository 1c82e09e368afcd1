import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { Frame, LinkButton, Paragraph, SmallPrint } from './frame'
import { renderMessage } from './render-message'

export function invitation(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'You are invited',
    <Frame preview="Choose your name and a password." title="You are invited">
      <Paragraph>
        You are invited to create an account. Choose your name and a password; the link works once,
        for seven days.
      </Paragraph>
      <LinkButton href={link}>Create my account</LinkButton>
      <SmallPrint>You do not know what this is about? Then you can leave it alone.</SmallPrint>
    </Frame>,
  )
}
