import 'server-only'
import { render, toPlainText } from '@react-email/components'
import type { ReactElement } from 'react'
import type { Message } from '@/core/mail/deliver'

export async function renderMessage(
  to: string,
  subject: string,
  body: ReactElement,
): Promise<Message> {
  const html = await render(body)
  return { to, subject, html, text: toPlainText(html) }
}
