type Start = () => void

/** The waiting work of each client. Clients take turns, in the order of their arrival. */
export function createTurns() {
  const clients = new Map<string, Start[]>()
  return {
    add(client: string, start: Start) {
      const queued = clients.get(client)
      if (queued) queued.push(start)
      else clients.set(client, [start])
    },
    size: () => [...clients.values()].reduce((sum, { length }) => sum + length, 0),
    take(): Start | undefined {
      for (const [client, queued] of clients) {
        const start = queued.shift()
        clients.delete(client)
        if (queued.length > 0) clients.set(client, queued)
        return start
      }
      return undefined
    },
  }
}
