import postgres from 'postgres'
import { findPostgres, startPostgres } from '../packages/plinth/scripts/services/programs.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { median } from './load.mjs'
import { secret, startPlinth } from './servers.mjs'
import { hashPassword } from './sign-in.mjs'

const attempts = 300
const warmUp = 20
/** After a hundred failures an account is slowed down. */
const accountsPerKind = 4
const maxDifference = 0.05

/**
 * Whether the time of a failed sign-in reveals which accounts exist: a wrong password for an account
 * with a password, for one without, and for an unknown email, interleaved in one run.
 */
export async function benchEnumeration() {
  const bin = findPostgres()
  if (!bin) {
    print('PostgreSQL not found. The enumeration benchmark requires it.')
    process.exitCode = 1
    return
  }
  const database = await startPostgres(bin)
  const plinth = await startPlinth({
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    TRUST_PROXY: '1',
  })
  const accounts = await createAccounts(database.url)
  const times = await measure(new URL('/api/auth/signin', plinth.url), accounts)
  await plinth.stop()
  await database.stop()
  report(times)
}

/** With a random password, so that every attempt fails. */
async function createAccounts(url) {
  const sql = postgres(url, { max: 1 })
  const hash = await hashPassword(crypto.randomUUID())
  await sql`
    with new_users as (
      insert into users (email, name, email_verified_at)
      select kind || n || '@example.com', 'User', now()
      from generate_series(0, ${accountsPerKind - 1}::int) n,
        unnest(array['with-password', 'without-password']) kind
      returning id, email
    )
    insert into passwords (user_id, hash)
    select id, ${hash} from new_users where email like 'with-password%'`
  await sql.end()
  return {
    'with password': 'with-password',
    'without password': 'without-password',
    'unknown email': 'unknown',
  }
}

async function measure(url, accounts) {
  const times = Object.fromEntries(Object.keys(accounts).map((name) => [name, []]))
  for (let round = -warmUp; round < attempts; round += 1) {
    for (const [index, [name, account]] of Object.entries(accounts).entries()) {
      const email = `${account}${(round + warmUp) % accountsPerKind}@example.com`
      const start = performance.now()
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ email, password: 'not the password' }),
        headers: {
          'content-type': 'application/json',
          // A new client IP for each attempt, or the rate limit would reject them after ten.
          'x-forwarded-for': `10.${index}.${(round + warmUp) >> 8}.${(round + warmUp) & 255}`,
        },
      })
      await response.arrayBuffer()
      if (response.status !== 401) throw new Error(`${name}: ${response.status}`)
      if (round >= 0) times[name].push(performance.now() - start)
    }
  }
  return times
}

function report(times) {
  const medians = Object.fromEntries(
    Object.entries(times).map(([name, values]) => [name, median(values)]),
  )
  const all = Object.values(medians)
  const difference = Math.max(...all) / Math.min(...all) - 1
  print(`\nFailed sign-in: medians of ${attempts} interleaved attempts each`)
  for (const [name, value] of Object.entries(medians)) {
    print(`  ${name.padEnd(18)}  ${value.toFixed(2)} ms`)
  }
  print(
    `  max difference      ${(difference * 100).toFixed(1)} % (target: ≤ ${maxDifference * 100} %)`,
  )
  if (difference > maxDifference) process.exitCode = 1
}
