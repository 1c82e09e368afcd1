import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { findPostgres, startPostgres } from '../packages/plinth/scripts/services/programs.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { findLoadGenerator, load } from './load.mjs'
import { seedSignIns, seedUsers } from './seed-users.mjs'
import { secret, startPlinth } from './servers.mjs'
import { cookieOf, seedPasswords, signInAdmin, signInScript } from './sign-in.mjs'
import { printTable } from './table.mjs'

const users = 100_000
const signingIn = 500
const password = 'only-for-the-benchmark'

/** The figures of packages/plinth/docs/deploying.md: what one process serves, and what a row takes. No targets. */
export async function benchCapacity({ seconds, nextWarmUp }) {
  const wrk = await findLoadGenerator()
  const bin = findPostgres()
  if (!bin) throw new Error('PostgreSQL not found. The capacity benchmark requires it.')
  const server = await startPostgres(bin)
  const settings = { AUTH_SECRET: secret, DATABASE_URL: server.url, TRUST_PROXY: '1' }
  const plinth = await startPlinth(settings)
  const sql = postgres(server.url, { max: 1, onnotice: () => {} })
  await seedUsers(sql, users)
  await seedSignIns(sql, users)
  await seedPasswords(server.url, signingIn, password)
  const cookie = cookieOf(await signInAdmin(sql))
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const script = join(folder, 'sign-in.lua')
  writeFileSync(script, signInScript(signingIn, password))

  const requests = {
    'GET /api/auth/session': { headers: cookie },
    'GET /api/demo/admin/users': { headers: cookie },
    'GET /home': { headers: cookie },
    'GET /admin/users': { headers: cookie },
    'GET /sign-in': {},
    'POST /api/auth/signin': { script },
  }
  const memory = plinth.memory()
  const rows = []
  for (const [name, options] of Object.entries(requests)) {
    const url = plinth.origin + name.split(' ')[1]
    await load(wrk, url, nextWarmUp, options)
    const { rate, p50, p99, cpu } = await load(wrk, url, 3 * seconds, {
      ...options,
      server: plinth,
    })
    rows.push([name, rate.toFixed(0), p50.toFixed(1), p99.toFixed(1), cpu.toFixed(2)])
  }
  print(`\nOne process on PostgreSQL with ${users.toLocaleString('en-US')} users, 32 connections`)
  printTable(['request', 'per second', 'p50 ms', 'p99 ms', 'CPU ms'], rows)
  print(`  memory: ${memory} MB at the start, ${plinth.memory()} MB after the load`)
  await printStorage(sql)

  await sql.end()
  await plinth.stop()
  await server.stop()
  await rm(folder, { recursive: true })
}

/** Bytes of a row with its indexes. */
async function printStorage(sql) {
  const rows = []
  for (const table of ['users', 'sessions', 'audit_events']) {
    const [{ bytes, count }] = await sql`
      select (select count(*)::int from ${sql(table)}) as count,
        coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size(${table}))::float as bytes
      from pg_partition_tree(${table}::regclass)`
    rows.push([table, count, (bytes / count).toFixed(0)])
  }
  print('\nStorage, with indexes')
  printTable(['table', 'rows', 'bytes a row'], rows)
}
