import { escapeHtml } from 'plinth/universal/html'
import { config } from '@/plinth.config'

export type MessagePart =
  | { kind: 'paragraph'; text: string }
  | { kind: 'button'; url: string; label: string }
  | { kind: 'small print'; text: string }

export type MessageContent = {
  subject: string
  /** Shown next to the subject in a list of messages. */
  preview: string
  /** The heading, if it is not the subject. */
  title?: string
  parts: readonly MessagePart[]
}

/** The layout of every message, with the colors of src/app/globals.css, light and dark. */
export function messageHtml({ subject, preview, title = subject, parts }: MessageContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${dark}</style>
</head>
<body class="canvas" style="${canvas}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}${filler}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="${canvas}">
<tr><td align="center" style="padding:32px 16px 48px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td class="ink" style="${brand}">${escapeHtml(config.name)}</td></tr>
<tr><td class="surface" style="${card}">
<h1 class="ink" style="${heading}">${escapeHtml(title)}</h1>
${parts.map(partHtml).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function partHtml(part: MessagePart): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p class="ink" style="${paragraph}">${escapeHtml(part.text)}</p>`
    case 'small print':
      return `<p class="muted" style="${smallPrint}">${escapeHtml(part.text)}</p>`
    case 'button':
      return buttonHtml(escapeHtml(part.url), escapeHtml(part.label))
  }
}

/** A cell with a color, because Outlook ignores the padding of links. */
function buttonHtml(url: string, label: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td class="button" style="${buttonCell}"><a class="button" href="${url}" style="${button}">${label}</a></td>
</tr></table>
<p class="muted" style="${smallPrint}">Or copy this URL into your browser: <a class="link" href="${url}" style="${link}">${url}</a></p>`
}

/** Blank characters, so that the preview does not go on with the text of the message. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(80)

const fontFamily = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

const canvas = `margin:0;background-color:#faf9f6;font-family:${fontFamily}`
const brand = 'padding:0 0 16px;font-size:16px;font-weight:600;color:#1d1c19'
const card =
  'border:1px solid #e0dcd3;border-radius:10px;background-color:#ffffff;padding:28px 28px 24px'
const heading = 'margin:0 0 16px;font-size:22px;line-height:30px;color:#1d1c19'
const paragraph = 'margin:0 0 20px;font-size:16px;line-height:26px;color:#1d1c19'
const smallPrint = 'margin:20px 0 0;font-size:13px;line-height:20px;color:#5d594f'
const buttonCell = 'border-radius:6px;background-color:#0d645a;mso-padding-alt:12px 20px'
const button =
  'display:inline-block;border-radius:6px;background-color:#0d645a;padding:12px 20px;font-size:15px;font-weight:500;color:#ffffff;text-decoration:none'
const link = 'color:#0d645a;word-break:break-all'

const dark = `@media (prefers-color-scheme: dark) {
  .canvas { background-color: #151412 !important }
  .surface { background-color: #1d1c19 !important; border-color: #35322c !important }
  .ink { color: #f0ede6 !important }
  .muted { color: #aba598 !important }
  .link { color: #74c7b6 !important }
  .button { background-color: #74c7b6 !important; color: #08201b !important }
}`
