import postgres from 'postgres'
import { findPostgres, startPostgres } from '../scripts/services/postgres.mjs'
import { say } from '../scripts/terminal.mjs'
import { median } from './load.mjs'
import { hashPassword } from './people-signed-in.mjs'
import { secret, startProduct } from './servers.mjs'

const tries = 300
const wanted = 0.05

/**
 * Whether the time of a refused sign-in tells who has an account: a wrong password for one that
 * has one, for one that has none of its own, and for nobody at all, turn by turn in one run.
 */
export async function benchEnumeration() {
  const bin = findPostgres()
  if (!bin) {
    say('The benchmark of enumeration needs PostgreSQL, which is not installed here.')
    process.exitCode = 1
    return
  }
  const database = await startPostgres(bin)
  const product = await startProduct({
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    TRUST_PROXY: '1',
  })
  const accounts = await makeAccounts(database.url)
  const times = await measure(new URL('/api/auth/signin', product.url), accounts)
  await product.end()
  await database.end()
  report(times)
}

/** The password is one that nobody guesses: every try must be refused. */
async function makeAccounts(url) {
  const sql = postgres(url, { max: 1 })
  const hashed = await hashPassword(crypto.randomUUID())
  await sql.begin(async (transaction) => {
    const [known] = await transaction`
      insert into users (email, name, email_verified_at)
      values ('known@example.com', 'Known', now()) returning id`
    await transaction`insert into passwords (user_id, hash) values (${known.id}, ${hashed})`
    await transaction`
      insert into users (email, name, email_verified_at)
      values ('without@example.com', 'Without a password', now())`
  })
  await sql.end()
  return {
    'with a password': 'known@example.com',
    'without one': 'without@example.com',
    unknown: 'nobody@example.com',
  }
}

async function measure(url, accounts) {
  const times = Object.fromEntries(Object.keys(accounts).map((name) => [name, []]))
  for (let round = -20; round < tries; round += 1) {
    for (const [index, [name, email]] of Object.entries(accounts).entries()) {
      const start = performance.now()
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ email, password: 'not the password' }),
        headers: {
          'content-type': 'application/json',
          // Another address for each, or the limits would end it after ten.
          'x-forwarded-for': `bench-${round}-${index}`,
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
  const apart = Math.max(...all) / Math.min(...all) - 1
  say(`\nA refused sign-in, medians of ${tries} tries each, interleaved`)
  for (const [name, value] of Object.entries(medians)) {
    say(`  ${name.padEnd(18)}  ${value.toFixed(2)} ms`)
  }
  say(`  furthest apart      ${(apart * 100).toFixed(1)} % (wanted: within ${wanted * 100} %)`)
  if (apart > wanted) process.exitCode = 1
}
