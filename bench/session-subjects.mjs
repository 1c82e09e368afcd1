import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from './database.mjs'
import { startPeer } from './peers.mjs'
import { seedSessions, tokenOf, writeWrkScript } from './seed-sessions.mjs'
import { secret, startBareServer, startPlinth } from './servers.mjs'
import { bearerOf, cookieOf, signIn, signInOverHttp } from './sign-in.mjs'

const path = '/api/auth/session'
const users = 1_000

/**
 * All servers with a session endpoint: one process each, one cluster for all. `limit` names the bare
 * server with the same request headers, because Node parses headers whether or not they are used.
 * Each kind of request has its own Plinth process: mixed requests cost up to 10 % more, because V8
 * optimizes for uniform input.
 */
export async function startSubjects() {
  const cluster = await startCluster()
  const bare = await startBareServer()
  const byCookie = await startSignedIn(cluster, 'plinth_cookie', {})
  const byBearer = await startSignedIn(cluster, 'plinth_bearer', {})
  const anonymous = await startSignedIn(cluster, 'plinth_anonymous', {})
  const uncached = await startSignedIn(cluster, 'plinth_uncached', { SESSION_CACHE: 'off' })
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const rotateSessions = await writeRotationScript(uncached, join(folder, 'sessions.lua'))
  const embedded = await startEmbedded()
  const start = async (name) =>
    startPeer(name, await cluster.createDatabase(name.replaceAll('-', '_')))
  const hono = await start('hono-one-query')
  const express = await start('express-session')
  const authjs = await start('authjs-next')
  const betterAuth = await start('better-auth-next')
  const plinths = [byCookie, byBearer, anonymous, uncached, embedded]
  const servers = [bare, ...plinths, hono, express, authjs, betterAuth]
  const cookie = cookieOf(byCookie.token)
  const bearer = bearerOf(byBearer.token)
  const limit = { label: 'Bare node:http', server: bare, url: bare.url, limit: 'bare' }
  const subjects = {
    bare: limit,
    bareCookie: { ...limit, label: 'Bare node:http, with cookie', headers: cookie },
    bareBearer: { ...limit, label: 'Bare node:http, with bearer token', headers: bearer },
    cookie: { ...plinthSubject('cookie', byCookie), headers: cookie },
    bearer: { ...plinthSubject('bearer token', byBearer), headers: bearer, limit: 'bareBearer' },
    anonymous: { ...plinthSubject('anonymous', anonymous), headers: {}, limit: 'bare' },
    uncached: {
      ...plinthSubject('cache off', uncached),
      // For the response check; under load the script sends the cookies.
      headers: cookieOf(tokenOf(1)),
      script: rotateSessions,
    },
    embedded: {
      ...plinthSubject('embedded database', embedded),
      headers: cookieOf(embedded.token),
    },
    hono: peerSubject('Hono with one query', hono),
    express: peerSubject('Express, express-session', express),
    authjs: { ...peerSubject('Auth.js on Next', authjs), next: true },
    betterAuth: { ...peerSubject('better-auth on Next', betterAuth), next: true },
  }
  for (const [name, subject] of Object.entries(subjects)) await checkResponse(name, subject)
  return {
    subjects,
    async stop() {
      for (const server of servers) await server.stop()
      await cluster.stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function startSignedIn(cluster, name, settings) {
  const database = await cluster.createDatabase(name)
  const server = await startPlinth({ DATABASE_URL: database, AUTH_SECRET: secret, ...settings })
  const url = server.origin + path
  return { server, url, database, token: await signIn(database), stop: server.stop }
}

/** Rotates through sessions: concurrent requests for the same session share one query. */
async function writeRotationScript({ database }, script) {
  await seedSessions(database, users)
  writeWrkScript(
    script,
    Array.from({ length: users }, (_, number) => number + 1),
  )
  return script
}

async function startEmbedded() {
  const server = await startPlinth()
  const token = await signInOverHttp(server.origin)
  return { server, url: server.origin + path, token, stop: server.stop }
}

/** `next`: Next runs in the same process and needs the same warm-up. */
function plinthSubject(label, { server, url }) {
  return { label: `Plinth, ${label}`, server, url, limit: 'bareCookie', next: true }
}

function peerSubject(label, server) {
  return { label, server, url: server.url, headers: server.headers, limit: 'bareCookie' }
}

/** A server that returns no session would be fast but wrong. */
async function checkResponse(name, { url, headers }) {
  if (name.startsWith('bare')) return
  const session = await (await fetch(url, { headers })).json()
  const isExpected = name === 'anonymous' ? session === null : session?.user
  if (!isExpected) throw new Error(`${name} returned the wrong session.`)
}
