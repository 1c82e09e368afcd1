import 'server-only'
import type { Subscriber } from '@/core/db/client'
import { DatabaseConnection } from '@/core/db/postgres/database-connection'

const subscribeTimeoutMs = 5_000

/** On a connection of its own, and not through a pooler, which gives each query another session. */
export async function listenOn(
  url: string,
  channel: string,
  { receive, subscribed, lost }: Subscriber,
): Promise<() => Promise<void>> {
  let listening = false
  const options = {
    connection: { application_name: 'plinth listener' },
    onnotify: (_: string, message: string) => receive(message),
  }
  const connection = new DatabaseConnection(url, options, () => listening && lost())
  await connection.run(connection.sql.unsafe(`listen ${channel}`), subscribeTimeoutMs)
  listening = true
  subscribed()
  return () => {
    listening = false
    return connection.close(0)
  }
}
