import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { Frame, LinkButton, Paragraph, SmallPrint } from './frame'
import { renderMessage } from './render-message'

export function verifyEmail(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'Finish creating your account',
    <Frame
      preview="One more step: choose your name and a password."
      title="Finish creating your account"
    >
      <Paragraph>
        One more step: choose your name and a password. The link works once, for one day.
      </Paragraph>
      <LinkButton href={link}>Create my account</LinkButton>
      <SmallPrint>
        You did not ask for this? Somebody typed your address, perhaps by mistake. There is no
        account as long as nobody follows the link, and nothing for you to do.
      </SmallPrint>
    </Frame>,
  )
}
