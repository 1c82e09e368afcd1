import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { findPostgres, startPostgres } from '../scripts/services/postgres.mjs'
import { say } from '../scripts/terminal.mjs'
import { median } from './load.mjs'
import { seedPeople, seedSignIns } from './people.mjs'
import { secret, startProduct } from './servers.mjs'

const few = 1000
const many = 1_000_000
const rounds = 40

/** What is wanted: at most twice the time of few, and no more than so many milliseconds. */
const ratioAtMost = 2
const listAtMost = 50
const overviewAtMost = 300

const api = '/api/demo/admin/users'

const lists = {
  'first page, newest first': `${api}`,
  'first page, by name': `${api}?sort=name`,
  'first page, by e-mail': `${api}?sort=email`,
  'first page of editors': `${api}?role=editor`,
  'first page of admins, by name': `${api}?role=admin&sort=name`,
  'search by e-mail, many found': `${api}?query=maria.`,
  'search by e-mail, some found': `${api}?query=olga.smi`,
  'search by e-mail, few found': `${api}?query=kowquez`,
  'search by name, many found': `${api}?query=james`,
  'search by name, some found': `${api}?query=kowalski`,
  'search by name, few found': `${api}?query=zebulon&sort=email`,
  'search among editors': `${api}?query=garcia&role=editor`,
  'search among admins': `${api}?query=wang&role=admin&sort=name`,
  'search, nobody found': `${api}?query=nobody%20at%20all`,
  'search by two letters, few found': `${api}?query=ze`,
}

/** Where about one in a thousand is found: hard to walk to, and many to put in order. */
const hardest = {
  'hardest: two words, by name': `${api}?query=fatima%20kow&sort=name`,
  'hardest: 0.1 % found, by e-mail': `${api}?query=777%40&sort=email`,
  'hardest: 0.2 % found, by two letters': `${api}?query=xi`,
  'hardest: two words, with the total': { query: 'olga.smi' },
}

/** The action answers with the total as well. */
const actions = {
  'action, first page': {},
  'action, page of editors by name': { role: 'editor', sort: 'name' },
  'action, search by e-mail': { query: 'kowalski' },
  'action, search by name': { query: 'zebulon' },
}

/** Lists of people, with a thousand and with a million, turn by turn in one run. */
export async function benchUsers() {
  const bin = findPostgres()
  if (!bin) {
    say('The benchmark of users needs PostgreSQL, which is not installed here.')
    process.exitCode = 1
    return
  }
  const server = await startPostgres(bin)
  const sizes = []
  for (const count of [few, many]) sizes.push(await startWith(server.url, count))
  await measureLists(...sizes)
  await measureOverview(...sizes)
  for (const { product } of sizes) await product.end()
  await server.end()
}

/** A product on a database of its own with so many people, and an admin who asks. */
async function startWith(serverUrl, count) {
  const url = new URL(serverUrl)
  const owner = postgres(serverUrl, { max: 1 })
  await owner.unsafe(`create database people_${count}`)
  await owner.end()
  url.pathname = `/people_${count}`
  const settings = { AUTH_SECRET: secret, DATABASE_URL: String(url) }
  const product = await startProduct(settings)
  const sql = postgres(String(url), { max: 1, onnotice: () => {} })
  const start = performance.now()
  await seedPeople(sql, count)
  await seedSignIns(sql, count)
  const seconds = Math.round((performance.now() - start) / 1000)
  say(`${count.toLocaleString('en-GB')} people are there after ${seconds} s.`)
  const token = await signInAnAdmin(sql)
  await sql.end()
  const origin = new URL(product.url).origin
  const authorization = `Bearer ${token}`
  const ask = async (wanted) => {
    const path = typeof wanted === 'string' ? wanted : '/admin/audit'
    const init = typeof wanted === 'string' ? { headers: {} } : callOfAction(wanted)
    const begun = performance.now()
    const headers = { ...init.headers, authorization }
    const answer = await fetch(origin + path, { ...init, headers })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`)
    return { milliseconds: performance.now() - begun, text }
  }
  return { count, product, ask }
}

/** As the browser's own code calls the action that the page of the trail suggests people with. */
function callOfAction(input) {
  const { node } = JSON.parse(readFileSync('.next/server/server-reference-manifest.json', 'utf8'))
  const [id] = Object.entries(node).find(([, { exportedName }]) => exportedName === 'listUsers')
  return {
    method: 'POST',
    body: JSON.stringify([input]),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'next-action': id },
  }
}

async function signInAnAdmin(sql) {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await sql`
    insert into sessions (token_hash, user_id, expires_at)
    select ${hash}, id, now() + interval '1 day' from users where role = 'admin' limit 1`
  return token
}

async function measureLists(small, large) {
  say(`\nLists of people: medians of ${rounds} in milliseconds, ${few} and ${many} people by turns`)
  say(
    `  wanted: at most ${ratioAtMost} × as long, and under ${listAtMost} ms; of the hardest only that`,
  )
  for (const [name, path] of Object.entries(lists)) {
    report(name, await compare(small, path, large, path))
  }
  for (const [name, wanted] of Object.entries(actions)) {
    report(name, await compare(small, wanted, large, wanted))
  }
  const deep = [await pathOfPage(small, 30), await pathOfPage(large, 10_000)]
  report('page 30, and page 10,000', await compare(small, deep[0], large, deep[1]))
  for (const [name, path] of Object.entries(hardest)) {
    report(name, await compare(small, path, large, path), Number.POSITIVE_INFINITY)
  }
}

/** By walking there: a cursor leads on from a page and nowhere else. */
async function pathOfPage({ ask }, page) {
  let cursor = ''
  const size = page > 100 ? 100 : 25
  for (let done = 0; done < (page - 1) * 25; done += size) {
    const { text } = await ask(`${api}?limit=${size}${cursor}`)
    cursor = `&cursor=${JSON.parse(text).nextCursor}`
  }
  return `${api}?limit=25${cursor}`
}

async function compare(small, smallPath, large, largePath) {
  const times = { small: [], large: [] }
  for (let round = -5; round < rounds; round += 1) {
    const pair = {
      small: (await small.ask(smallPath)).milliseconds,
      large: (await large.ask(largePath)).milliseconds,
    }
    if (round < 0) continue
    for (const which of ['small', 'large']) times[which].push(pair[which])
  }
  return { small: median(times.small), large: median(times.large) }
}

function report(name, { small, large }, wantedRatio = ratioAtMost) {
  const ratio = large / small
  const missed = ratio > wantedRatio || large > listAtMost
  if (missed) process.exitCode = 1
  const values = [small.toFixed(1).padStart(7), large.toFixed(1).padStart(7), ratio.toFixed(2)]
  say(`  ${name.padEnd(38)}${values.join('  ')} ×${missed ? '  MISSED' : ''}`)
}

async function measureOverview(small, large) {
  const first = (await large.ask('/admin')).milliseconds
  const { small: less, large: more } = await compare(small, '/admin', large, '/admin')
  const missed = more > overviewAtMost
  if (missed) process.exitCode = 1
  say(
    `\nThe overview: ${less.toFixed(0)} ms with ${few} people, ${more.toFixed(0)} ms with ${many}`,
  )
  say(`  (wanted: under ${overviewAtMost} ms)${missed ? '  MISSED' : ''}`)
  say(`  the first time, when the sign-ins of thirty days are counted: ${first.toFixed(0)} ms`)
}
