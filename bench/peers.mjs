import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../scripts/errors.mjs'
import { cacheFolder, inRoot } from '../scripts/paths.mjs'
import { runLogged } from '../scripts/processes.mjs'
import { print } from '../scripts/terminal.mjs'
import { secret, startServer } from './servers.mjs'

const sources = inRoot('bench', 'peers')
const installed = join(cacheFolder, 'peers')
const nextBin = join('node_modules', 'next', 'dist', 'bin', 'next')
const settings = {
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  AUTH_SECRET: secret,
  AUTH_TRUST_HOST: 'true',
  BETTER_AUTH_SECRET: secret,
  BETTER_AUTH_URL: 'http://localhost:3000',
}

/**
 * The stacks that Plinth is compared with, each set up as its documentation describes. Only the
 * benchmark downloads their packages, into a separate folder, and builds them once.
 */
const peers = {
  'hono-one-query': { path: '/session' },
  'hono-sign-in': { path: '/session' },
  'express-session': { path: '/session' },
  'authjs-next': { path: '/api/auth/session', next: true },
  'better-auth-next': { path: '/api/auth/get-session', next: true },
  'bare-next': { path: '/empty', next: true },
}

/** Installs and builds the peers, unless the installed ones match bench/peers. */
export async function installPeers() {
  const stamp = join(installed, 'stamp')
  const expected = await fingerprint()
  if ((await readFile(stamp, 'utf8').catch(() => '')) === expected) return
  print('Installing and building the peers. This takes a minute or two, once.')
  await rm(installed, { recursive: true, force: true })
  await mkdir(installed, { recursive: true })
  await cp(sources, installed, { recursive: true })
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await run('npm', ['install', '--prefix', installed, '--loglevel=error', ...flags])
  for (const [name, { next }] of Object.entries(peers)) {
    if (next) await run(process.execPath, [nextBin, 'build', name])
  }
  await writeFile(stamp, expected)
}

/** Starts a peer with its own database, which contains one session. */
export async function startPeer(name, databaseUrl) {
  const database = { DATABASE_URL: databaseUrl }
  const cookie = await createSession(name, database)
  const server = await serve(name, database)
  return { ...server, headers: { cookie } }
}

/** Plain Next with two pages: `/empty`, and `/same`, which renders the elements in `markup`. */
export function startBareNext(markup) {
  return serve('bare-next', { MARKUP: markup })
}

function serve(name, env) {
  const { path, next } = peers[name]
  const folder = join(installed, name)
  const args = next
    ? [join(installed, nextBin), 'start', folder, '-H', '127.0.0.1']
    : [join(folder, 'server.mjs')]
  return startServer(name, args, { ...settings, ...env }, path)
}

/** Creates the tables and a session, and returns the session cookie. */
async function createSession(name, database) {
  const { lines } = await run(process.execPath, [join(name, 'prepare.mjs')], database)
  return lines.find((line) => line.startsWith('cookie: ')).slice('cookie: '.length)
}

async function run(command, args, env = {}) {
  const log = join(cacheFolder, 'peers.log')
  const result = await runLogged(command, args, {
    cwd: installed,
    env: { ...process.env, ...settings, ...env },
    log,
  })
  if (result.code === 0) return result
  throw new CommandError(`${[command, ...args].join(' ')} failed.`, result.lines.slice(-30))
}

async function fingerprint() {
  const hash = createHash('sha256')
  for (const name of (await readdir(sources, { recursive: true })).sort()) {
    const file = join(sources, name)
    if ((await stat(file)).isFile()) hash.update(name).update(await readFile(file))
  }
  return hash.digest('hex')
}
