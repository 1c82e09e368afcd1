import { execFileSync } from 'node:child_process'
import { CommandError, print } from '../packages/plinth/scripts/terminal.mjs'
import { startCluster } from './database.mjs'
import { findLoadGenerator } from './load.mjs'
import { preparePages } from './pages/data.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { secret, startBareServer, startPlinth } from './servers.mjs'
import { cookieOf } from './sign-in.mjs'
import { printTable } from './table.mjs'

const kinds = { page: '/admin/users', session: '/api/auth/session', bare: 'bare node:http' }

/**
 * Plinth on this Node and on those that OTHER_NODE names, interleaved in one run. Each is a path,
 * which may be followed by flags: `OTHER_NODE='/opt/node24/bin/node --max-semi-space-size=16'`.
 */
export async function benchNodeVersions(profile) {
  const others = process.env.OTHER_NODE?.split(',')
  if (!others) throw new CommandError('Set OTHER_NODE to paths of other node programs.')
  const wrk = await findLoadGenerator()
  const cluster = await startCluster()
  const database = await cluster.createDatabase('node_versions')
  const versions = []
  for (const command of [process.execPath, ...others]) {
    versions.push(await start(command, database))
  }
  const { token } = await preparePages(database)
  const headers = cookieOf(token)
  const subjects = {}
  for (const { version, bare, session, page } of versions) {
    const sessionUrl = `${session.origin}/api/auth/session`
    const pageUrl = `${page.origin}/admin/users`
    subjects[`${version} bare`] = { server: bare, url: bare.url, headers }
    subjects[`${version} session`] = { server: session, url: sessionUrl, headers, next: true }
    subjects[`${version} page`] = { server: page, url: pageUrl, headers, next: true }
  }
  // A page takes many times as long as an API response.
  const rounds = await measureInRounds(wrk, subjects, { ...profile, seconds: profile.seconds + 2 })
  report(rounds, versions)
  for (const { bare, session, page } of versions) {
    for (const server of [bare, session, page]) await server.stop()
  }
  await cluster.stop()
}

/** A Plinth process for each kind of request: mixed requests cost more. */
async function start(command, database) {
  const [node, ...nodeArgs] = command.trim().split(' ')
  const number = execFileSync(node, ['--version']).toString().trim()
  const version = [number, ...nodeArgs].join(' ')
  const options = { node, nodeArgs }
  const settings = { DATABASE_URL: database, AUTH_SECRET: secret }
  const bare = await startBareServer(options)
  const session = await startPlinth(settings, options)
  const page = await startPlinth(settings, options)
  return { version, bare, session, page, idle: page.memory() }
}

function report(rounds, versions) {
  const [{ version: reference }] = versions
  print(
    `\nPlinth by version of Node; ratios to ${reference} and to a bare node:http of the same Node\n`,
  )
  printTable(
    ['', 'requests/s', 'ratio', '× bare', 'CPU ms', 'ratio'],
    versions.flatMap(({ version }) =>
      Object.entries(kinds).map(([kind, label]) => {
        const name = `${version} ${kind}`
        return [
          `${label}, ${version}`,
          medianOf(rounds, name, 'rate').toFixed(0),
          medianRatio(rounds, name, `${reference} ${kind}`).toFixed(2),
          kind === 'page' ? '' : medianRatio(rounds, name, `${version} bare`).toFixed(2),
          medianOf(rounds, name, 'cpu').toFixed(3),
          medianRatio(rounds, name, `${reference} ${kind}`, 'cpu').toFixed(2),
        ]
      }),
    ),
  )
  print()
  for (const { version, idle, page } of versions) {
    print(`  Memory, ${version}: ${idle} MB after the start, ${page.memory()} MB after the pages`)
  }
}
