import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { parseMessage, type ReadMessage } from '@/core/mail/parse-message'

type Taken = ReadMessage & { recipients: string[] }

/** What it does with the next message. */
type Mood = 'take' | 'refuse for now' | 'refuse' | 'say nothing'

/** A real mail server that keeps what it takes, and can be told to behave badly. */
export async function startSmtpServer(port = 0) {
  const taken: Taken[] = []
  let mood: Mood = 'take'
  let tries = 0

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 50,
    onRcptTo({ address }, _session, answer) {
      tries += 1
      if (mood === 'say nothing') return
      if (mood === 'take') return answer()
      const responseCode = mood === 'refuse' ? 550 : 451
      answer(Object.assign(new Error(`No mail for ${address}`), { responseCode }))
    },
    onData(stream, { envelope }, answer) {
      let source = ''
      stream.on('data', (chunk) => {
        source += chunk
      })
      stream.on('end', () => {
        const recipients = envelope.rcptTo.map(({ address }) => address)
        taken.push({ ...parseMessage(source), recipients })
        answer()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const own = (server.server.address() as AddressInfo).port

  return {
    taken,
    port: own,
    url: `smtp://127.0.0.1:${own}`,
    tries: () => tries,
    behave(next: Mood) {
      mood = next
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The link that somebody would press. */
export function linkIn({ text }: ReadMessage): string {
  return /https?:\/\/\S+token=[\w-]+/.exec(text)?.[0] ?? ''
}

export function tokenIn(message: ReadMessage): string {
  return new URL(linkIn(message)).searchParams.get('token') ?? ''
}
