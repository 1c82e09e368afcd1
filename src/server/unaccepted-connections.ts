import type { Worker } from 'node:cluster'

type ClusterMessage = { act?: string; seq?: number; ack?: number }

/**
 * Node's primary keeps a connection that it has passed to a worker until the worker accepts it. If
 * the worker dies before, Node forgets the connection but never closes it, and its client waits
 * forever. The worker has not read from it, so this makes Node pass it to another worker, as if the
 * dead one had declined it. Without another worker, Node closes it.
 */
export function passOnUnacceptedConnections(worker: Worker, hasOtherWorker: () => boolean): void {
  const child = worker.process
  const unaccepted = new Set<number>()
  const send = child.send as (message: ClusterMessage, ...rest: unknown[]) => boolean

  child.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined) unaccepted.add(message.seq)
    return send.call(child, message, ...rest)
  }
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) unaccepted.delete(ack)
  })
  // After the exit, and after the last message of the worker.
  child.once('close', () => {
    // While a connection is being passed, Node does not notice the disconnect by itself.
    worker.disconnect()
    const accepted = !hasOtherWorker()
    for (const ack of unaccepted) {
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted })
    }
  })
}
