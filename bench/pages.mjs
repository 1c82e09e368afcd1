import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { say } from '../scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { findLoadGenerator } from './load.mjs'
import { elementsOf } from './markup.mjs'
import { installPeers, startBareNext } from './peers.mjs'
import { cookieOf, signIn } from './people-signed-in.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startProduct } from './servers.mjs'
import { printAims, printTable } from './table.mjs'

const slowerAtMost = 1.25
const moreAtMost = 5

/** The account page of somebody signed in, against a page of the same elements that asks nobody. */
export async function benchPages(pace) {
  const wrk = await findLoadGenerator()
  await installPeers()
  const cluster = await startCluster()
  const url = await cluster.createDatabase('pages')
  const product = await startProduct({ DATABASE_URL: url, AUTH_SECRET: secret })
  const headers = cookieOf(await signIn(url))
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const markup = join(folder, 'markup.json')
  const page = await textOf(`${product.origin}/account`, headers)
  writeFileSync(markup, JSON.stringify(elementsOf(page)))
  const bare = await startBareNext(markup)
  const elements = [page, await textOf(`${bare.origin}/same`)].map(countElements)
  const subjects = {
    bare: { url: `${bare.origin}/same`, next: true },
    account: { url: `${product.origin}/account`, headers, next: true },
  }
  // A page takes Next many times as long as an answer takes Node.
  const rounds = await measureInRounds(wrk, subjects, { ...pace, seconds: pace.seconds + 2 })
  const sizes = {
    landing: await scriptSize(product.origin, '/'),
    empty: await scriptSize(bare.origin, '/empty'),
  }
  await bare.end()
  await product.end()
  await cluster.end()
  await rm(folder, { recursive: true })
  report(rounds, elements, sizes)
}

/** All of the JavaScript that a page asks for, in kilobytes as they travel. */
async function scriptSize(origin, path) {
  const page = await textOf(origin + path)
  const tags = [...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
  const modern = tags.filter((tag) => !/\bnomodule\b/i.test(tag))
  const sources = new Set(modern.flatMap((tag) => / src="([^"]+)"/.exec(tag)?.[1] ?? []))
  let bytes = 0
  for (const source of sources) bytes += gzipSync(await textOf(new URL(source, origin))).length
  return bytes / 1024
}

async function textOf(url, headers = {}) {
  const answer = await fetch(url, { headers, redirect: 'error' })
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}.`)
  return answer.text()
}

function countElements(page) {
  return page.match(/<body.*<\/body>/s)[0].match(/<(?!script)[a-z]/g).length
}

function report(rounds, [ours, theirs], { landing, empty }) {
  const slower = 1 / medianRatio(rounds, 'account', 'bare')
  say(`\nPages of Next: /account of somebody signed in (${ours} elements) against a page of the`)
  say(`same markup (${theirs}) that asks nobody; JavaScript of the landing page, compressed\n`)
  printTable(
    ['', 'pages/s', 'p50 ms', 'p99 ms'],
    Object.entries({ account: '/account', bare: 'the same markup' }).map(([name, label]) => [
      label,
      medianOf(rounds, name, 'rate').toFixed(0),
      medianOf(rounds, name, 'p50').toFixed(1),
      medianOf(rounds, name, 'p99').toFixed(1),
    ]),
  )
  say()
  printAims([
    {
      aim: `/account takes ≤ ${slowerAtMost} × the same markup`,
      measured: `${slower.toFixed(2)} ×`,
      reached: slower <= slowerAtMost,
    },
    {
      aim: `JavaScript of / ≤ ${moreAtMost} KB over an empty page’s ${empty.toFixed(1)} KB`,
      measured: `${(landing - empty).toFixed(1)} KB`,
      reached: landing - empty <= moreAtMost,
    },
  ])
}
