import postgres from 'postgres'
import { findPostgres, startPostgres } from '../packages/plinth/scripts/services/programs.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { secret, startPlinth } from './servers.mjs'
import { signInAdmin } from './sign-in.mjs'

const users = 100_000
const maxSeconds = 60
/** From the first half of the lines to the last tenth. */
const maxGrowth = 1.2

/** The audit log as CSV: how long it takes, and whether memory grows with the number of lines. */
export async function benchExports({ events = 2_000_000 } = {}) {
  const bin = findPostgres()
  if (!bin) {
    print('PostgreSQL not found. The exports benchmark requires it.')
    process.exitCode = 1
    return
  }
  const server = await startPostgres(bin)
  const plinth = await startPlinth({ AUTH_SECRET: secret, DATABASE_URL: server.url })
  const sql = postgres(server.url, { max: 1, onnotice: () => {} })
  const count = events.toLocaleString('en-US')
  print(`\nExports with ${users.toLocaleString('en-US')} users and ${count} audit events`)
  await seed(sql, events)
  const authorization = `Bearer ${await signInAdmin(sql)}`
  const origin = plinth.origin

  // The first export loads code, so it is no baseline for the memory.
  await download(`${origin}/api/admin/audit.csv?to=2020-01-01`, authorization)
  const before = plinth.memory()
  const url = `${origin}/api/admin/audit.csv`
  const { seconds, lines, samples } = await download(url, authorization, plinth.memory)
  const peakOf = (part) => Math.max(...part.map(({ memory }) => memory))
  const tenths = Array.from({ length: 10 }, (_, index) =>
    peakOf(samples.filter((sample) => Math.ceil((10 * sample.lines) / lines) === index + 1)),
  )
  const growth = tenths.at(-1) / Math.max(...tenths.slice(0, 5))
  print(`  audit.csv: ${lines.toLocaleString('en-US')} lines in ${seconds.toFixed(1)} s`)
  print(`  memory in MB: ${before} before, at most in each tenth ${tenths.join(' ')}`)
  print(`  last tenth: ${growth.toFixed(2)} × the first half`)
  print(`  target: all events, ≤ ${maxSeconds} s, ≤ ${maxGrowth} ×`)
  if (lines < events || seconds > maxSeconds || growth > maxGrowth) process.exitCode = 1

  const personal = await download(`${origin}/api/account/data.json`, authorization, plinth.memory)
  const [{ own }] = await sql`
    select count(*)::int as own from audit_events
    where actor_id = (select id from users where role = 'admin' limit 1)`
  print(`  data.json of a user with ${own} events: ${personal.seconds.toFixed(1)} s`)
  await sql.end()
  await plinth.stop()
  await server.stop()
}

async function seed(sql, events) {
  await sql`
    insert into users (email, name, role, email_verified_at)
    select 'user' || n || '@example.com', 'User ' || n, case when n = 1 then 'admin' else 'viewer' end, now()
    from generate_series(1, ${users}::int) n`
  await sql`
    insert into audit_events (at, action, outcome, actor_id, target_id, ip, request_id, details)
    select now() - interval '1 year' * (n::float / ${events}), 'sign_in',
      case when n % 10 = 0 then 'failure' else 'success' end, numbered.id, numbered.id::text,
      '203.0.113.7', gen_random_uuid()::text, '{"by": "password"}'
    from generate_series(1, ${events}::int) n
    join (select id, row_number() over () as number from users) numbered
      on numbered.number = 1 + n % ${users}`
  await sql`vacuum analyze users, audit_events`
}

async function download(url, authorization, memory) {
  const start = performance.now()
  const response = await fetch(url, { headers: { authorization } })
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  let lines = 0
  let chunks = 0
  const samples = []
  for await (const chunk of response.body) {
    for (const byte of chunk) if (byte === 10) lines += 1
    chunks += 1
    if (memory && chunks % 50 === 0) samples.push({ lines, memory: memory() })
  }
  return { seconds: (performance.now() - start) / 1000, lines: lines - 1, samples }
}
