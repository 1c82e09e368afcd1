import { once } from 'node:events'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'

export type TlsOptions = {
  /** As in the URL: `prefer`, `require`, `verify-full` … */
  mode: string
  /** Without asking the server first. */
  direct: boolean
}

/** Returns undefined if the URL does not ask for TLS. */
export function tlsOptionsOf(url: string): TlsOptions | undefined {
  const { searchParams } = new URL(url)
  const mode =
    searchParams.get('sslrootcert') === 'system'
      ? 'verify-full'
      : (searchParams.get('sslmode') ?? searchParams.get('ssl') ?? process.env.PGSSL ?? '')
  if (['', 'disable', 'false'].includes(mode)) return undefined
  return { mode, direct: searchParams.get('sslnegotiation') === 'direct' }
}

/**
 * A connection to the server's host with TLS. The driver would put a TLS socket of its own on ours, and when
 * ours is destroyed, a write that waits in the other one is an error that nothing catches.
 */
export async function secureSocket(
  socket: Socket,
  host: string,
  { mode, direct }: TlsOptions,
): Promise<Socket> {
  const accepted = direct || (await acceptsTls(socket))
  if (!accepted && mode === 'prefer') return socket
  if (!accepted) throw tlsDeclined()
  return tlsSocket(socket, host, { mode, direct })
}

/** The message SSLRequest, and the first byte of its response. */
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const yes = 'S'.charCodeAt(0)

async function acceptsTls(socket: Socket): Promise<boolean> {
  socket.write(request)
  const ended = once(socket, 'close').then(() => {
    throw Object.assign(new Error('The server has closed the connection.'), {
      code: 'CONNECTION_CLOSED',
    })
  })
  const answered = once(socket, 'data').then(([answer]: Buffer[]) => answer?.[0] === yes)
  return Promise.race([answered, ended])
}

function tlsSocket(socket: Socket, host: string, { mode, direct }: TlsOptions): TLSSocket {
  return connect({
    socket,
    // The name that the certificate must have.
    ...(isIP(host) ? { host } : { servername: host }),
    ...(direct ? { ALPNProtocols: ['postgresql'] } : {}),
    rejectUnauthorized: !['require', 'allow', 'prefer'].includes(mode),
  })
}

function tlsDeclined(): Error {
  return Object.assign(new Error('The server has declined TLS.'), { code: 'CONNECT_WITHOUT_TLS' })
}
