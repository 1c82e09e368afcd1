import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { sendingConnections } from '@/server/connections'

/**
 * Closes connections whose client has taken nothing of its response for this time: clients that
 * never read would keep their responses in memory. A response that is still computed has nothing to
 * send and is left alone.
 */
export function closeStalledResponses(server: Server, timeoutMs: number): void {
  const progress = new WeakMap<Socket, { sent: string; since: number }>()

  function check(): void {
    const now = performance.now()
    for (const socket of sendingConnections(server)) {
      const sent = sentBytes(socket)
      const last = progress.get(socket)
      if (last?.sent !== sent) progress.set(socket, { sent, since: now })
      else if (now - last.since >= timeoutMs) socket.destroy()
    }
  }

  const timer = setInterval(check, timeoutMs / 6).unref()
  server.once('close', () => clearInterval(timer))
}

/** The bytes of completed writes, and what is left of the current one, which may be a whole body. */
function sentBytes(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`
}
