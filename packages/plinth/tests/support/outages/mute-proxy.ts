import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

type Link = { muted: boolean; sockets: Socket[]; watched: boolean }

/**
 * A TCP proxy before PostgreSQL that can fall silent: it accepts, reads and passes nothing on. The
 * client gets neither FIN nor RST, as when a firewall drops the packets.
 */
export async function startMuteProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const links = new Set<Link>()
  let acceptsMuted = false
  let closedByClient = 0
  let commitMarker: string | undefined

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname })
    const link: Link = { muted: acceptsMuted, sockets: [client, upstream], watched: false }
    links.add(link)
    client.on('data', (bytes) => {
      if (link.muted) return
      if (commitMarker !== undefined) link.watched ||= bytes.includes(commitMarker)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      muteAtCommit(link, bytes)
      if (!link.muted) client.write(bytes)
    })
    const close = () => {
      if (!link.muted) cut(link)
    }
    client.on('end', () => {
      closedByClient += 1
    })
    for (const socket of link.sockets) socket.on('end', close).on('error', close).on('close', close)
  })

  function cut(link: Link): void {
    links.delete(link)
    for (const socket of link.sockets) socket.destroy()
  }

  /** The database has committed and says so. The request may be a prepared statement without text. */
  function muteAtCommit(link: Link, bytes: Buffer): void {
    if (!link.watched || !bytes.includes('COMMIT\0')) return
    commitMarker = undefined
    link.muted = true
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    /** Also of those that fell silent. */
    closedByClient: () => closedByClient,
    mute({ newConnections }: { newConnections: boolean }): void {
      acceptsMuted = newConnections
      for (const link of links) link.muted = true
    },
    /** Swallows the answer to the commit of the transaction that sends this text. */
    muteCommitOf(text: string): void {
      commitMarker = text
    },
    /** Connections that fell silent are gone for good. */
    unmute(): void {
      acceptsMuted = false
      for (const link of [...links].filter(({ muted }) => muted)) cut(link)
    },
    async stop(): Promise<void> {
      for (const link of links) cut(link)
      server.close()
      await once(server, 'close')
    },
  }
}

export type MuteProxy = Awaited<ReturnType<typeof startMuteProxy>>
