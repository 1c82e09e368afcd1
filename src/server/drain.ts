import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDraining } from '@/core/api/routes/health'
import { closePort } from '@/server/close-port'
import { sendingConnections } from '@/server/connections'

type Limits = {
  /** How long the server still accepts requests, so that load balancers can notice. */
  delayMs?: number
  /** How long idle connections stay open then: their next request may be on its way. */
  lingerMs?: number
  /** How long running requests have to finish. */
  timeoutMs?: number
}

/** Turns load balancers away, closes the port and waits for running requests. */
export async function drain(server: Server, limits: Limits): Promise<void> {
  const { delayMs = 0, lingerMs = 250, timeoutMs = 10_000 } = limits
  startDraining()
  if (delayMs > 0) await sleep(delayMs)
  const closed = new Promise((resolve) => server.once('close', resolve))
  await closePort(server)

  let sweep: NodeJS.Timeout | undefined
  const linger = setTimeout(() => {
    sweep = setInterval(() => setImmediate(closeIdleConnections, server), 50)
  }, lingerMs)
  const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearTimeout(linger)
  clearInterval(sweep)
  clearTimeout(timeout)
}

/**
 * Called as an immediate, so after the event loop has read what has arrived: a connection with a new
 * request is then not idle. But Node takes a connection for idle while its finished response is
 * still being sent, so nothing is closed before all of them are sent.
 */
function closeIdleConnections(server: Server): void {
  if (sendingConnections(server).length === 0) server.closeIdleConnections()
}
