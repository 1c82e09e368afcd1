import { Agent, get } from 'node:http'
import postgres from 'postgres'
import { findPostgres, startPostgres } from '../packages/plinth/scripts/services/programs.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { secret, startPlinth } from './servers.mjs'

const attempts = 200
const warmUps = 20
const maxAuc = 0.55

/** Longer than it takes to send a message. */
const observedMs = 150

/**
 * Whether a neighbor can tell by the latency of its own requests which emails have an account: it
 * requests a reset link and then watches how long the health check takes while the mail is sent.
 */
export async function benchMailEnumeration() {
  const bin = findPostgres()
  if (!bin) {
    print('PostgreSQL not found. The mail enumeration benchmark requires it.')
    process.exitCode = 1
    return
  }
  const database = await startPostgres(bin)
  const plinth = await startPlinth({
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    TRUST_PROXY: '1',
  })
  await createUsers(database.url)
  const observed = await observe(plinth.origin)
  await plinth.stop()
  await database.stop()
  report(observed)
}

const kinds = ['known', 'unknown']
const emailOf = (kind, attempt) => `${kind}-${attempt}@example.com`

async function createUsers(url) {
  const sql = postgres(url, { max: 1 })
  await sql`
    insert into users (email, name, email_verified_at)
    select 'known-' || n || '@example.com', 'User ' || n, now()
    from generate_series(0, ${attempts + warmUps}::int) n`
  await sql.end()
}

async function observe(origin) {
  const page = `${origin}/forgot`
  const fields = await hiddenFields(page)
  const observed = { known: [], unknown: [] }
  for (let attempt = 0; attempt < attempts + warmUps; attempt += 1) {
    // In random order, so that neither kind always follows the other.
    for (const kind of Math.random() < 0.5 ? kinds : kinds.toReversed()) {
      const seen = await observeRequest(origin, () =>
        requestLink(page, fields, emailOf(kind, attempt), attempt),
      )
      if (attempt >= warmUps) observed[kind].push(seen)
    }
  }
  return observed
}

/** The form as a browser without JavaScript sends it. */
async function hiddenFields(page) {
  const html = await (await fetch(page)).text()
  const inputs = [...html.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*>/g)]
  const value = (input) => / value="([^"]*)"/.exec(input)?.[1].replaceAll('&quot;', '"') ?? ''
  return inputs.map(([input, name]) => [name, value(input)])
}

async function requestLink(page, fields, email, attempt) {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  body.set('email', email)
  // A few attempts per client IP, or the rate limit would reject them.
  const headers = { 'x-forwarded-for': `10.0.${Math.floor(attempt / 200)}.${attempt % 200}` }
  const response = await fetch(page, { method: 'POST', body, headers })
  const text = await response.text()
  if (!text.includes('Check your email')) throw new Error(`${email}: ${response.status}`)
}

/** The times of other requests, one after another, from the request until its mail is sent. */
async function observeRequest(origin, request) {
  const start = performance.now()
  const seen = { responded: 0, others: [] }
  let done = false
  const finished = request()
    .then(async () => {
      seen.responded = performance.now() - start
      await new Promise((resolve) => setTimeout(resolve, observedMs))
    })
    .finally(() => {
      done = true
    })
  while (!done) {
    const at = performance.now()
    await ping(`${origin}/api/health/live`)
    seen.others.push({ at: at - start, took: performance.now() - at })
  }
  await finished
  return seen
}

// One open connection and no more than Node's client: small differences must be visible.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function ping(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject)
  })
}

const sum = (values) => values.reduce((total, value) => total + value, 0)
const timesOf = ({ others }) => others.map(({ took }) => took)

/** Each depends on how much work was done. */
const features = {
  'response time': ({ responded }) => responded,
  'slowest other request': (seen) => Math.max(...timesOf(seen)),
  'time of slow other requests': (seen) => sum(timesOf(seen).filter((took) => took > 1)),
  'other requests after it': ({ responded, others }) =>
    -others.filter(({ at }) => at > responded && at < responded + 60).length,
}

const mean = (values) => sum(values) / values.length

function report(observed) {
  print(`\nReset links: ${attempts} requests each for known and unknown emails`)
  for (const [name, feature] of Object.entries(features)) {
    const auc = areaUnderCurve(observed.known.map(feature), observed.unknown.map(feature))
    print(`  ${name.padEnd(28)}  AUC ${auc.toFixed(3)} (target: ≤ ${maxAuc})`)
    if (auc > maxAuc) process.exitCode = 1
  }
}

/** How often the feature tells a known email from an unknown one: 0.5 reveals nothing. */
function areaUnderCurve(known, unknown) {
  const wins = known.flatMap((a) => unknown.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
  const auc = mean(wins)
  return Math.max(auc, 1 - auc)
}
