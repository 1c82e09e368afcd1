import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { Frame, LinkButton, Paragraph, SmallPrint } from './frame'
import { renderMessage } from './render-message'

export function passwordChanged(to: string, origin: string): Promise<Message> {
  return renderMessage(
    to,
    'Your password was changed',
    <Frame preview="If that was you, all is well." title="Your password was changed">
      <Paragraph>
        The password of your account was changed just now, and all other devices were signed out. If
        that was you, all is well.
      </Paragraph>
      <Paragraph>If it was not you, choose a new password at once:</Paragraph>
      <LinkButton href={`${origin}/forgot`}>Choose a new password</LinkButton>
      <SmallPrint>Then tell whoever runs this service.</SmallPrint>
    </Frame>,
  )
}
