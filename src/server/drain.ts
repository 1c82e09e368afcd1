import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { startDraining } from '@/core/api/draining'
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
  startDraining()
  if (limits.delayMs) await sleep(limits.delayMs)
  await turnWithoutConnections(server)
  await closeServer(server, limits)
}

/**
 * The kernel resets the connections that wait to be accepted when the port is closed, and their
 * requests are lost. So it is closed right after a short turn of the event loop that found none.
 */
async function turnWithoutConnections(server: Server): Promise<void> {
  const startedAt = performance.now()
  let found: boolean
  let turnMs: number
  const onConnection = () => {
    found = true
  }
  server.on('connection', onConnection)
  do {
    const turnStartedAt = performance.now()
    found = false
    await nextTurn()
    turnMs = performance.now() - turnStartedAt
  } while ((found || turnMs > 1) && performance.now() - startedAt < 1000)
  server.off('connection', onConnection)
}

function closeServer(
  server: Server,
  { lingerMs = 250, timeoutMs = 10_000 }: Limits,
): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined
    const linger = setTimeout(() => {
      sweep = setInterval(() => setImmediate(closeIdleConnections, server), 50)
    }, lingerMs)
    const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs)
    // The method of http.Server would close idle connections immediately.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(linger)
      clearInterval(sweep)
      clearTimeout(timeout)
      resolve()
    })
  })
}

/**
 * Called as an immediate, so after the event loop has read what has arrived: a connection with a new
 * request is then not idle. But Node takes a connection for idle while its finished response is
 * still being sent, so nothing is closed before all of them are sent.
 */
function closeIdleConnections(server: Server): void {
  if (sendingConnections(server).length === 0) server.closeIdleConnections()
}
