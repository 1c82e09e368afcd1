import postgres from 'postgres'
import { type Stage, signalCluster } from './cluster'
import type { Fault } from './expect-outage'

const writes = ['action', 'sign-in']
const reads = ['API route', 'page account', 'navigation account']
const everything = [...reads, ...writes, 'health']

export const stopped = ({ cluster }: Stage): Fault => ({
  name: 'stopped',
  fails: everything,
  async begin() {
    await cluster.crash()
    return () => cluster.start()
  },
})

export const frozen = ({ cluster }: Stage): Fault => ({
  name: 'frozen',
  fails: everything,
  async begin() {
    signalCluster(cluster, 'SIGSTOP')
    return async () => signalCluster(cluster, 'SIGCONT')
  },
})

export const silent = ({ proxy }: Stage): Fault => ({
  name: 'silent',
  fails: everything,
  async begin() {
    proxy.mute({ newConnections: true })
    return async () => proxy.unmute()
  },
})

/** A failover behind one IP address: old connections are dead, new ones work. */
export const oldConnectionsSilent = ({ proxy }: Stage): Fault => ({
  name: 'old connections silent',
  fails: [],
  async begin() {
    proxy.mute({ newConnections: false })
    return async () => proxy.unmute()
  },
})

export const tableLocked = ({ cluster }: Stage, table: 'users' | 'sessions'): Fault => ({
  name: `table ${table} locked`,
  fails: table === 'users' ? ['API route', ...writes] : writes,
  begin: () => holdLock(cluster.url, `lock table ${table} in access exclusive mode`),
})

/** Only changes of this user wait for it. */
export const rowLocked = ({ cluster, users }: Stage): Fault => ({
  name: 'row of one user locked',
  fails: ['action of the locked user'],
  succeeds: [...everything, 'session by cookie', 'session by bearer', 'anonymous session'],
  begin: () =>
    holdLock(cluster.url, `select from users where id = '${users.writers[0]?.id}' for update`),
})

async function holdLock(url: string, statement: string) {
  const client = postgres(url, { max: 1 })
  const holder = await client.reserve()
  await holder.unsafe('begin')
  await holder.unsafe(statement)
  return async () => {
    await holder.unsafe('rollback')
    holder.release()
    await client.end()
  }
}

/** Reads still work. */
export const readOnly = ({ sql }: Stage): Fault => ({
  name: 'read-only',
  fails: [...writes, 'health'],
  succeeds: reads,
  async begin() {
    await sql`alter system set default_transaction_read_only = on`
    await sql`select pg_reload_conf()`
    return async () => {
      await sql`alter system reset default_transaction_read_only`
      await sql`select pg_reload_conf()`
    }
  },
})

/** Other clients take every connection, also those that the server had. */
export const outOfConnections = ({ cluster, sql }: Stage): Fault => ({
  name: 'out of connections',
  fails: everything,
  async begin() {
    const others: postgres.Sql[] = []
    // This client needs a connection of its own while there are some.
    await sql`select 1`
    for (;;) {
      await takeAll(cluster.url, others)
      const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
        select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
        where application_name like 'plinth%'`
      if (count === 0) break
    }
    return () => Promise.all(others.map((client) => client.end({ timeout: 1 })))
  },
})

async function takeAll(url: string, taken: postgres.Sql[]): Promise<void> {
  for (;;) {
    const client = postgres(url, { max: 1, connection: { application_name: 'other' } })
    try {
      await client`select 1`
      taken.push(client)
    } catch {
      await client.end({ timeout: 1 })
      return
    }
  }
}
