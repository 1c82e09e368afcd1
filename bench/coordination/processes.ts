import { setTimeout as pause } from 'node:timers/promises'
import { ChangeLog } from '@/core/db/change-log'
import type { Connection } from '@/core/db/client'
import { migrate } from '@/core/db/migrate/migrate'
import { openPostgres } from '@/core/db/postgres/postgres'

const intervalMs = 30
const changesPerSecond = 20

type Query = Connection['queryPipelined']

const open = (url: string) => openPostgres({ url, poolSize: 1, timeoutMs: 10_000 })

export async function prepare(url: string): Promise<void> {
  const connection = open(url)
  await migrate(connection, [])
  await connection.query(
    'create table plain_log (id bigint generated always as identity primary key, change text)',
    [],
  )
  await connection.close()
}

/**
 * Each simulated process has its own connection and keeps its copy of the change log current, or polls
 * a plain table as often. One more connection writes the same changes to both.
 */
export async function startProcesses(url: string, kind: string, count: number) {
  const connections = Array.from({ length: count + 1 }, () => open(url))
  const [writer, ...others] = connections
  const state = { running: true, polls: 0 }
  const follow = kind === 'plain' ? pollPlainTable : followChangeLog
  const work = others.map((connection) => {
    const query: Query = (text, values) => {
      state.polls += 1
      return connection.queryPipelined(text, values)
    }
    return follow(query, state)
  })
  work.push(write(writer as Connection, state))
  return {
    polls: () => state.polls,
    async stop() {
      state.running = false
      await Promise.all(work)
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}

type State = { running: boolean }

async function write(connection: Connection, state: State): Promise<void> {
  while (state.running) {
    await connection.query(`select log_change('sbenchmark')`, [])
    await connection.query(`insert into plain_log (change) values ('sbenchmark')`, [])
    await pause(1_000 / changesPerSecond)
  }
}

async function pollPlainTable(query: Query, state: State): Promise<void> {
  let last = '0'
  while (state.running) {
    const startedAt = performance.now()
    const { rows } = await query(
      'select id, change from plain_log where id > $1 order by id limit 1001',
      [last],
    )
    last = (rows as { id: string }[]).at(-1)?.id ?? last
    await pause(Math.max(1, intervalMs - (performance.now() - startedAt)))
  }
}

/** The session cache asks at each request, which keeps the polls running. */
async function followChangeLog(query: Query, state: State): Promise<void> {
  const log = new ChangeLog({ apply: () => {}, reset: () => {} }, query)
  while (state.running) {
    log.isCurrent(performance.now())
    await pause(100)
  }
  log.end()
}
