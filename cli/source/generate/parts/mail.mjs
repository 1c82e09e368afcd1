export function mailSource({ module, camel, snake, title }) {
  return `import 'server-only'
import { mail } from 'plinth/mail/mail'
import { z } from 'zod'
import { button, message, paragraph, smallPrint } from '@/mail/message'

export const ${camel} = mail(
  { purpose: '${module}.${snake}', data: z.object({ id: z.uuid() }) },
  async ({ email, data, origin }) =>
    message(email, {
      subject: '${title}',
      preview: 'Open it in your browser.',
      parts: [
        paragraph('You can open it in your browser:'),
        button(\`\${origin}/${module}/\${data.id}\`, 'Open'),
        smallPrint('You get this email because you have an account.'),
      ],
    }),
)
`
}
