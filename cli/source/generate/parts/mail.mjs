export function mailSource({ module, camel, snake, kebab }) {
  return `import 'server-only'
import { z } from 'zod'
import { mail } from 'plinth/mail/mail'

export const ${camel} = mail(
  { purpose: '${module}.${snake}', data: z.object({ id: z.uuid() }) },
  async ({ email, data, origin }) => {
    const { ${camel}Message } = await import('./mail/${kebab}')
    return ${camel}Message(email, \`\${origin}/${module}/\${data.id}\`)
  },
)
`
}

export function messageSource({ camel, title }) {
  return `import 'server-only'
import type { Message } from 'plinth/mail/deliver'
import {
  LinkButton,
  MessageLayout,
  Paragraph,
  renderMessage,
  SmallPrint,
} from '@/mail/message-layout'

export function ${camel}Message(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    '${title}',
    <MessageLayout preview="Open it in your browser." title="${title}">
      <Paragraph>You can open it in your browser:</Paragraph>
      <LinkButton href={link}>Open</LinkButton>
      <SmallPrint>You get this email because you have an account.</SmallPrint>
    </MessageLayout>,
  )
}
`
}
