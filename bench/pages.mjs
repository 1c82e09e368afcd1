import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { print } from '../scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { findLoadGenerator } from './load.mjs'
import { elementsOf } from './markup.mjs'
import { installPeers, startBareNext } from './peers.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startPlinth } from './servers.mjs'
import { cookieOf, signIn } from './sign-in.mjs'
import { printTable, printTargets } from './table.mjs'

const maxSlowdown = 1.25
const maxExtraKilobytes = 5

/** The account page with a session, compared with a page of the same elements without one. */
export async function benchPages(profile) {
  const wrk = await findLoadGenerator()
  await installPeers()
  const cluster = await startCluster()
  const url = await cluster.createDatabase('pages')
  const plinth = await startPlinth({ DATABASE_URL: url, AUTH_SECRET: secret })
  const headers = cookieOf(await signIn(url))
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const markup = join(folder, 'markup.json')
  const page = await textOf(`${plinth.origin}/account`, headers)
  writeFileSync(markup, JSON.stringify(elementsOf(page)))
  const bare = await startBareNext(markup)
  const elements = [page, await textOf(`${bare.origin}/same`)].map(countElements)
  const subjects = {
    bare: { url: `${bare.origin}/same`, next: true },
    account: { url: `${plinth.origin}/account`, headers, next: true },
  }
  // A Next page takes many times as long as an API response.
  const rounds = await measureInRounds(wrk, subjects, { ...profile, seconds: profile.seconds + 2 })
  const sizes = {
    landing: await scriptSize(plinth.origin, '/'),
    empty: await scriptSize(bare.origin, '/empty'),
  }
  await bare.stop()
  await plinth.stop()
  await cluster.stop()
  await rm(folder, { recursive: true })
  report(rounds, elements, sizes)
}

/** All JavaScript that a page loads, in compressed kilobytes. */
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
  const response = await fetch(url, { headers, redirect: 'error' })
  if (!response.ok) throw new Error(`${url} returned ${response.status}.`)
  return response.text()
}

function countElements(page) {
  return page.match(/<body.*<\/body>/s)[0].match(/<(?!script)[a-z]/g).length
}

function report(rounds, [accountElements, bareElements], { landing, empty }) {
  const slowdown = 1 / medianRatio(rounds, 'account', 'bare')
  print(`\nNext pages: /account with a session (${accountElements} elements), compared with the`)
  print(`same markup without one (${bareElements}); compressed JavaScript of the landing page\n`)
  printTable(
    ['', 'pages/s', 'p50 ms', 'p99 ms'],
    Object.entries({ account: '/account', bare: 'same markup' }).map(([name, label]) => [
      label,
      medianOf(rounds, name, 'rate').toFixed(0),
      medianOf(rounds, name, 'p50').toFixed(1),
      medianOf(rounds, name, 'p99').toFixed(1),
    ]),
  )
  print()
  printTargets([
    {
      target: `/account takes ≤ ${maxSlowdown} × the same markup`,
      measured: `${slowdown.toFixed(2)} ×`,
      met: slowdown <= maxSlowdown,
    },
    {
      target: `JavaScript of / ≤ ${maxExtraKilobytes} KB more than an empty page (${empty.toFixed(1)} KB)`,
      measured: `${(landing - empty).toFixed(1)} KB`,
      met: landing - empty <= maxExtraKilobytes,
    },
  ])
}
