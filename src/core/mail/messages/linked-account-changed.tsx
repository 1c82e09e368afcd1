import 'server-only'
import type { Message } from '@/core/mail/deliver'
import { LinkButton, MessageLayout, Paragraph, SmallPrint } from './message-layout'
import { renderMessage } from './render-message'

export function accountLinked(to: string, provider: string, link: string): Promise<Message> {
  return linkedAccountChanged(to, link, {
    title: `${provider} was linked to your account`,
    text: `A ${provider} account was just linked to your account and can now be used to sign in. If this was you, there is nothing to do.`,
  })
}

export function accountUnlinked(to: string, provider: string, link: string): Promise<Message> {
  return linkedAccountChanged(to, link, {
    title: `${provider} was unlinked from your account`,
    text: `A ${provider} account was just unlinked from your account and can no longer be used to sign in. If this was you, there is nothing to do.`,
  })
}

function linkedAccountChanged(
  to: string,
  link: string,
  { title, text }: { title: string; text: string },
): Promise<Message> {
  return renderMessage(
    to,
    title,
    <MessageLayout preview="If this was not you, secure your account." title={title}>
      <Paragraph>{text}</Paragraph>
      <Paragraph>If this was not you, secure your account now:</Paragraph>
      <LinkButton href={link}>This was not me</LinkButton>
      <SmallPrint>The link works once and expires in seven days.</SmallPrint>
    </MessageLayout>,
  )
}
