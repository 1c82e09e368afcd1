import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { findPostgres, startPostgres } from '../packages/plinth/scripts/services/programs.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { median } from './load.mjs'
import { seedSignIns, seedUsers } from './seed-users.mjs'
import { secret, startPlinth } from './servers.mjs'
import { signInAdmin } from './sign-in.mjs'

const few = 1000
const many = 1_000_000
const rounds = 40

const maxRatio = 2
const maxListMs = 50
const maxOverviewMs = 300

const api = '/api/demo/admin/users'

const lists = {
  'first page, newest first': `${api}`,
  'first page, by name': `${api}?sort=name`,
  'first page, by email': `${api}?sort=email`,
  'first page of editors': `${api}?role=editor`,
  'first page of admins, by name': `${api}?role=admin&sort=name`,
  'first page of viewers, by email': `${api}?role=viewer&sort=email_desc`,
  'search by email, many found': `${api}?query=maria.`,
  'search by email, some found': `${api}?query=olga.smi`,
  'search by email, few found': `${api}?query=kowquez`,
  'search by name, many found': `${api}?query=james`,
  'search by name, some found': `${api}?query=kowalski`,
  'search by name, few found': `${api}?query=zebulon&sort=email`,
  'search among editors': `${api}?query=garcia&role=editor`,
  'search among admins': `${api}?query=wang&role=admin&sort=name`,
  'search, none found': `${api}?query=no%20such%20user`,
  'search by two letters, few found': `${api}?query=ze`,
}

/** About 0.1 % of the rows match: rare for an index scan in order, many to sort. */
const hardest = {
  'hardest: two words, by name': `${api}?query=fatima%20kow&sort=name`,
  'hardest: 0.1 % found, by email': `${api}?query=777%40&sort=email`,
  'hardest: 0.2 % found, by two letters': `${api}?query=xi`,
  'hardest: two words, with the total': { query: 'olga.smi' },
}

/** The action also returns the total. */
const actions = {
  'action, first page': {},
  'action, page of editors by name': { role: 'editor', sort: 'name' },
  'action, search by email': { query: 'kowalski' },
  'action, search by name': { query: 'zebulon' },
}

/** User lists with a thousand and with a million users, interleaved in one run. */
export async function benchUsers() {
  const bin = findPostgres()
  if (!bin) {
    print('PostgreSQL not found. The users benchmark requires it.')
    process.exitCode = 1
    return
  }
  const server = await startPostgres(bin)
  const sizes = []
  for (const count of [few, many]) sizes.push(await startWith(server.url, count))
  await measureLists(...sizes)
  await measureOverview(...sizes)
  await printIndexes(sizes.at(-1))
  for (const { plinth } of sizes) await plinth.stop()
  await server.stop()
}

/** Starts Plinth on its own database with this many users, and signs an admin in. */
async function startWith(serverUrl, count) {
  const url = new URL(serverUrl)
  const superuser = postgres(serverUrl, { max: 1 })
  await superuser.unsafe(`create database users_${count}`)
  await superuser.end()
  url.pathname = `/users_${count}`
  const settings = { AUTH_SECRET: secret, DATABASE_URL: String(url) }
  const plinth = await startPlinth(settings)
  const sql = postgres(String(url), { max: 1, onnotice: () => {} })
  const start = performance.now()
  await seedUsers(sql, count)
  await seedSignIns(sql, count)
  const seconds = Math.round((performance.now() - start) / 1000)
  print(`Created ${count.toLocaleString('en-US')} users in ${seconds} s.`)
  const token = await signInAdmin(sql)
  await sql.end()
  const origin = new URL(plinth.url).origin
  const authorization = `Bearer ${token}`
  const send = async (request) => {
    const path = typeof request === 'string' ? request : '/admin/audit'
    const init = typeof request === 'string' ? { headers: {} } : actionRequest(request)
    const started = performance.now()
    const headers = { ...init.headers, authorization }
    const response = await fetch(origin + path, { ...init, headers })
    const text = await response.text()
    if (response.status !== 200) {
      throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
    }
    return { milliseconds: performance.now() - started, text }
  }
  return { count, url: String(url), plinth, send }
}

/** The request that the audit log page sends to suggest users. */
function actionRequest(input) {
  const { node } = JSON.parse(readFileSync('.next/server/server-reference-manifest.json', 'utf8'))
  const [id] = Object.entries(node).find(([, { exportedName }]) => exportedName === 'listUsers')
  return {
    method: 'POST',
    body: JSON.stringify([input]),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': id },
  }
}

async function measureLists(small, large) {
  print(`\nUser lists: medians of ${rounds} interleaved requests in ms, ${few} and ${many} users`)
  print(`  target: ≤ ${maxRatio} × and ≤ ${maxListMs} ms; for the hardest only ≤ ${maxListMs} ms`)
  for (const [name, path] of Object.entries(lists)) {
    report(name, await compare(small, path, large, path))
  }
  for (const [name, input] of Object.entries(actions)) {
    report(name, await compare(small, input, large, input))
  }
  const deep = [await findPagePath(small, 30), await findPagePath(large, 10_000)]
  report('page 30, and page 10,000', await compare(small, deep[0], large, deep[1]))
  for (const [name, path] of Object.entries(hardest)) {
    report(name, await compare(small, path, large, path), Number.POSITIVE_INFINITY)
  }
}

/** Walks from page to page, because a cursor only leads to the next one. */
async function findPagePath({ send }, page) {
  let cursor = ''
  const size = page > 100 ? 100 : 25
  for (let done = 0; done < (page - 1) * 25; done += size) {
    const { text } = await send(`${api}?limit=${size}${cursor}`)
    cursor = `&cursor=${JSON.parse(text).nextCursor}`
  }
  return `${api}?limit=25${cursor}`
}

async function compare(small, smallPath, large, largePath) {
  const times = { small: [], large: [] }
  for (let round = -5; round < rounds; round += 1) {
    const pair = {
      small: (await small.send(smallPath)).milliseconds,
      large: (await large.send(largePath)).milliseconds,
    }
    if (round < 0) continue
    for (const size of ['small', 'large']) times[size].push(pair[size])
  }
  return { small: median(times.small), large: median(times.large) }
}

function report(name, { small, large }, allowedRatio = maxRatio) {
  const ratio = large / small
  const missed = ratio > allowedRatio || large > maxListMs
  if (missed) process.exitCode = 1
  const values = [small.toFixed(1).padStart(7), large.toFixed(1).padStart(7), ratio.toFixed(2)]
  print(`  ${name.padEnd(38)}${values.join('  ')} ×${missed ? '  MISSED' : ''}`)
}

async function measureOverview(small, large) {
  const first = (await large.send('/admin')).milliseconds
  const times = await compare(small, '/admin', large, '/admin')
  const missed = times.large > maxOverviewMs
  if (missed) process.exitCode = 1
  print(
    `\nAdmin overview: ${times.small.toFixed(0)} ms with ${few} users, ${times.large.toFixed(0)} ms with ${many}`,
  )
  print(`  (target: ≤ ${maxOverviewMs} ms)${missed ? '  MISSED' : ''}`)
  print(`  first request, which counts the sign-ins of thirty days: ${first.toFixed(0)} ms`)
}

/** Which indexes the requests above have used, and what they cost. Partitions count with their table. */
async function printIndexes({ url, count }) {
  const sql = postgres(url, { max: 1 })
  // Each connection reports what it has used when it has been idle for a second.
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const tables = await sql`
    select coalesce(inhparent, relid)::regclass::text as name, sum(pg_table_size(relid))::float as bytes
    from pg_stat_user_tables left join pg_inherits on inhrelid = relid
    group by 1 order by bytes desc, name`
  const indexes = await sql`
    select coalesce(of_table.inhparent, relid)::regclass::text as table,
      coalesce(of_index.inhparent, indexrelid)::regclass::text as name,
      sum(idx_scan)::float as scans, sum(pg_relation_size(indexrelid))::float as bytes
    from pg_stat_user_indexes
    left join pg_inherits of_table on of_table.inhrelid = relid
    left join pg_inherits of_index on of_index.inhrelid = indexrelid
    group by 1, 2 order by bytes desc, name`
  await sql.end()
  const megabytes = (size) => `${(size / 1e6).toFixed(1)} MB`.padStart(10)
  print(`\nTables and their indexes, with ${count} users`)
  for (const { name: table, bytes } of tables) {
    const own = indexes.filter((index) => index.table === table)
    const total = own.reduce((sum, index) => sum + index.bytes, 0)
    print(`  ${table.padEnd(40)}${megabytes(bytes)}, its indexes ${megabytes(total)}`)
    for (const { name, scans, bytes } of own) {
      print(`    ${name.padEnd(38)}${megabytes(bytes)}  ${String(scans).padStart(7)} scans`)
    }
  }
}
