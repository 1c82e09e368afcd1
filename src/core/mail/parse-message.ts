/** A message as a person sees it. */
export type ReadMessage = { to: string; subject: string; date: string; html: string; text: string }

/**
 * Reads what this application writes: headers, then a part with the words and one with the looks.
 * It knows no other mail.
 */
export function parseMessage(source: string): ReadMessage {
  const { headers, body } = split(source)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = body.split(`--${boundary}`).map(split)
  const partOf = (type: string) =>
    decoded(parts.find((part) => part.headers.get('content-type')?.startsWith(type)))
  return {
    to: headers.get('to') ?? '',
    subject: headers.get('subject') ?? '',
    date: headers.get('date') ?? '',
    html: partOf('text/html'),
    text: partOf('text/plain'),
  }
}

type Part = { headers: Map<string, string>; body: string }

function split(source: string): Part {
  const lines = source.replaceAll('\r\n', '\n').trimStart()
  const end = lines.indexOf('\n\n')
  const head = lines.slice(0, end).replaceAll(/\n[ \t]+/g, ' ')
  const pairs = head.split('\n').map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return { headers: new Map(pairs), body: lines.slice(end + 2) }
}

function decoded(part: Part | undefined): string {
  if (!part) return ''
  switch (part.headers.get('content-transfer-encoding')) {
    case 'base64':
      return Buffer.from(part.body, 'base64').toString('utf8')
    case 'quoted-printable':
      return fromQuotedPrintable(part.body)
    default:
      return part.body
  }
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
