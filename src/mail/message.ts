import 'server-only'
import type { Message } from 'plinth/mail/deliver'
import { type MessageContent, type MessagePart, messageHtml } from './message-layout'

export function message(to: string, content: MessageContent): Message {
  return { to, subject: content.subject, html: messageHtml(content), text: messageText(content) }
}

export function paragraph(text: string): MessagePart {
  return { kind: 'paragraph', text }
}

/** Also shows its URL, for mail clients without buttons. */
export function button(url: string, label: string): MessagePart {
  return { kind: 'button', url, label }
}

export function smallPrint(text: string): MessagePart {
  return { kind: 'small print', text }
}

function messageText({ subject, title = subject, parts }: MessageContent): string {
  return `${[title, ...parts.map(partText)].join('\n\n')}\n`
}

function partText(part: MessagePart): string {
  return part.kind === 'button' ? `${part.label}:\n${part.url}` : part.text
}
