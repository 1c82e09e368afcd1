import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ParsedMessage, parseMessage } from '#mail/parse-message'

type ReceivedMessage = ParsedMessage & { recipients: string[] }

export type SmtpBehavior = 'accept' | 'reject temporarily' | 'reject' | 'hang'

/** An SMTP server that keeps the messages it accepts and can be made to fail. */
export async function startSmtpServer(port = 0) {
  const received: ReceivedMessage[] = []
  let behavior: SmtpBehavior = 'accept'
  let attempts = 0
  let connections = 0

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 50,
    onConnect(_session, respond) {
      connections += 1
      respond()
    },
    onRcptTo({ address }, _session, respond) {
      attempts += 1
      if (behavior === 'hang') return
      if (behavior === 'accept') return respond()
      const responseCode = behavior === 'reject' ? 550 : 451
      respond(Object.assign(new Error(`No mail for ${address}`), { responseCode }))
    },
    onData(stream, { envelope }, respond) {
      let source = ''
      stream.on('data', (chunk) => {
        source += chunk
      })
      stream.on('end', async () => {
        const recipients = envelope.rcptTo.map(({ address }) => address)
        received.push({ ...(await parseMessage(source)), recipients })
        respond()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const ownPort = (server.server.address() as AddressInfo).port

  return {
    received,
    port: ownPort,
    url: `smtp://127.0.0.1:${ownPort}`,
    attempts: () => attempts,
    connections: () => connections,
    setBehavior(next: SmtpBehavior) {
      behavior = next
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export function linkIn({ text }: { text: string }): string {
  return /https?:\/\/\S+token=[\w-]+/.exec(text)?.[0] ?? ''
}

export function tokenIn(message: { text: string }): string {
  return new URL(linkIn(message)).searchParams.get('token') ?? ''
}
