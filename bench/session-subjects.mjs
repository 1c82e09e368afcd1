import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from './database.mjs'
import { startPeer } from './peers.mjs'
import { bearerOf, cookieOf, signIn, signInAtTheDoor } from './people-signed-in.mjs'
import { secret, startBare, startProduct } from './servers.mjs'
import { seedSessions, tokenOf, writeTurns } from './sessions.mjs'

const path = '/api/auth/session'
const people = 1_000

/**
 * Whoever answers the question who is signed in: one process each, one cluster for all. `limit`
 * names the bare server that is sent the same request: Node reads a cookie, whoever asks for it.
 * Where one process of ours is sent a mix of them, each costs up to a tenth more: the runtime makes
 * faster code of what is always the same.
 */
export async function startSubjects() {
  const cluster = await startCluster()
  const bare = await startBare()
  const byCookie = await startSignedIn(cluster, 'plinth_cookie', {})
  const byBearer = await startSignedIn(cluster, 'plinth_bearer', {})
  const nobody = await startSignedIn(cluster, 'plinth_nobody', {})
  const uncached = await startSignedIn(cluster, 'plinth_uncached', { AUTHORITY_CACHE: 'off' })
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const turns = await askInTurns(uncached, join(folder, 'turns.lua'))
  const embedded = await startEmbedded()
  const start = async (name) =>
    startPeer(name, await cluster.createDatabase(name.replaceAll('-', '_')))
  const hono = await start('hono-one-query')
  const express = await start('express-session')
  const authjs = await start('authjs-next')
  const betterAuth = await start('better-auth-next')
  const products = [byCookie, byBearer, nobody, uncached, embedded]
  const servers = [bare, ...products, hono, express, authjs, betterAuth]
  const cookie = cookieOf(byCookie.token)
  const bearer = bearerOf(byBearer.token)
  const limit = { label: 'Bare node:http', server: bare, url: bare.url, limit: 'bare' }
  const subjects = {
    bare: limit,
    bareCookie: { ...limit, label: 'Bare node:http, sent a cookie', headers: cookie },
    bareBearer: { ...limit, label: 'Bare node:http, sent a bearer', headers: bearer },
    cookie: { ...product('cookie', byCookie), headers: cookie },
    bearer: { ...product('bearer', byBearer), headers: bearer, limit: 'bareBearer' },
    anonymous: { ...product('nobody signed in', nobody), headers: {}, limit: 'bare' },
    uncached: {
      ...product('cache off', uncached),
      // For the look at its answer; the script brings the cookies of all.
      headers: cookieOf(tokenOf(1)),
      script: turns,
    },
    embedded: { ...product('embedded database', embedded), headers: cookieOf(embedded.token) },
    hono: peer('Hono with one query', hono),
    express: peer('Express, express-session', express),
    authjs: { ...peer('Auth.js on Next', authjs), next: true },
    betterAuth: { ...peer('better-auth on Next', betterAuth), next: true },
  }
  for (const [name, subject] of Object.entries(subjects)) await checkAnswer(name, subject)
  return {
    subjects,
    async end() {
      for (const server of servers) await server.end()
      await cluster.end()
      await rm(folder, { recursive: true })
    },
  }
}

async function startSignedIn(cluster, name, settings) {
  const database = await cluster.createDatabase(name)
  const server = await startProduct({ DATABASE_URL: database, AUTH_SECRET: secret, ...settings })
  const url = server.origin + path
  return { server, url, database, token: await signIn(database), end: server.end }
}

/** One person after another: those who ask at the same moment are answered by one query. */
async function askInTurns({ database }, script) {
  await seedSessions(database, people)
  writeTurns(
    script,
    Array.from({ length: people }, (_, number) => number + 1),
  )
  return script
}

async function startEmbedded() {
  const server = await startProduct()
  const token = await signInAtTheDoor(server.origin)
  return { server, url: server.origin + path, token, end: server.end }
}

/** Next is in its process too, and takes as long to settle. */
function product(label, { server, url }) {
  return { label: `Plinth, ${label}`, server, url, limit: 'bareCookie', next: true }
}

function peer(label, server) {
  return { label, server, url: server.url, headers: server.headers, limit: 'bareCookie' }
}

/** A fast "nobody" would be no answer to the question. */
async function checkAnswer(name, { url, headers }) {
  const answer = await (await fetch(url, { headers })).json()
  const expected = name === 'anonymous' ? answer === null : name.startsWith('bare') || answer?.user
  if (!expected) throw new Error(`${name} does not know who is signed in.`)
}
