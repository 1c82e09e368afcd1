import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, inRoot } from '../packages/plinth/scripts/paths.mjs'
import { runLogged } from '../packages/plinth/scripts/processes.mjs'
import { CommandError, print } from '../packages/plinth/scripts/terminal.mjs'
import { secret, startServer } from './servers.mjs'

const sources = inRoot('bench', 'peers')
const installed = join(cacheFolder, 'peers')
/** Relative to the folder of the peers. */
const packages = 'node_modules'
const nextBin = join(packages, 'next', 'dist', 'bin', 'next')
const reactRouter = join(packages, '@react-router')
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
  'react-router': {
    path: '/sign-in',
    build: [join(reactRouter, 'dev', 'bin.js'), 'build', 'react-router'],
    start: [
      join(reactRouter, 'serve', 'bin.js'),
      join('react-router', 'build', 'server', 'index.js'),
    ],
  },
  'tanstack-start': {
    path: '/sign-in',
    build: [join(packages, 'vite', 'bin', 'vite.js'), 'build', 'tanstack-start'],
    start: [join('tanstack-start', '.output', 'server', 'index.mjs')],
  },
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
  for (const name of Object.keys(peers)) {
    const build = buildArguments(name)
    if (build) await run(process.execPath, build)
  }
  await writeFile(stamp, expected)
}

/** Starts a peer with its own database, which contains one session. */
export async function startPeer(name, databaseUrl) {
  const cookie = await createSession(name, databaseUrl)
  return { ...(await servePeer(name, databaseUrl)), headers: { cookie } }
}

/** Starts a peer on a database that is already prepared. */
export function servePeer(name, databaseUrl) {
  const env = { ...settings, HOST: '127.0.0.1', DATABASE_URL: databaseUrl }
  // Some report each connection that the load generator closes as an error.
  const options = { cwd: installed, logErrors: true }
  return startServer(name, startArguments(name), env, peers[name].path, options)
}

function buildArguments(name) {
  const { next, build } = peers[name]
  return next ? [nextBin, 'build', name] : build
}

function startArguments(name) {
  const { next, start = [join(name, 'server.mjs')] } = peers[name]
  return next ? [nextBin, 'start', name, '-H', '127.0.0.1'] : start
}

/** Creates the tables and a session, and returns the session cookie. */
export async function createSession(name, databaseUrl) {
  const database = { DATABASE_URL: databaseUrl }
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
