import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { Frame, LinkButton, Paragraph, SmallPrint } from './frame'
import { renderMessage } from './render-message'

export function resetPassword(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'Choose a new password',
    <Frame preview="The link works once, for one hour." title="Choose a new password">
      <Paragraph>
        Somebody, probably you, asked for a new password for your account. The link works once, for
        one hour. Using it signs you out on all your devices.
      </Paragraph>
      <LinkButton href={link}>Choose a new password</LinkButton>
      <SmallPrint>
        You did not ask for this? Your password is unchanged, and there is nothing for you to do.
      </SmallPrint>
    </Frame>,
  )
}
