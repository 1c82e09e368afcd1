import { startCluster } from './database.mjs'
import { startPeer } from './peers.mjs'
import { bearerOf, cookieOf, signIn, signInAtTheDoor } from './people-signed-in.mjs'
import { secret, startBare, startProduct } from './servers.mjs'

const path = '/api/auth/session'

/** Whoever answers the question who is signed in: one process each, one cluster for all. */
export async function startSubjects() {
  const cluster = await startCluster()
  const bare = await startBare()
  const cached = await startSignedIn(cluster, 'plinth_cached', {})
  const uncached = await startSignedIn(cluster, 'plinth_uncached', { AUTHORITY_CACHE: 'off' })
  const embedded = await startEmbedded()
  const start = async (name) =>
    startPeer(name, await cluster.createDatabase(name.replaceAll('-', '_')))
  const hono = await start('hono-one-query')
  const express = await start('express-session')
  const authjs = await start('authjs-next')
  const betterAuth = await start('better-auth-next')
  const servers = [bare, cached, uncached, embedded, hono, express, authjs, betterAuth]
  const subjects = {
    bare: { label: 'Bare node:http', server: bare, url: bare.url },
    cookie: { label: 'Plinth, cookie', ...cached, headers: cookieOf(cached.token) },
    bearer: { label: 'Plinth, bearer', ...cached, headers: bearerOf(cached.token) },
    anonymous: { label: 'Plinth, nobody signed in', ...cached, headers: {} },
    uncached: {
      label: 'Plinth, cache off',
      ...uncached,
      headers: cookieOf(uncached.token),
    },
    embedded: {
      label: 'Plinth, embedded database',
      ...embedded,
      headers: cookieOf(embedded.token),
    },
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
    },
  }
}

async function startSignedIn(cluster, database, settings) {
  const url = await cluster.createDatabase(database)
  const server = await startProduct({ DATABASE_URL: url, AUTH_SECRET: secret, ...settings })
  return { server, url: server.origin + path, token: await signIn(url), end: server.end }
}

async function startEmbedded() {
  const server = await startProduct()
  const token = await signInAtTheDoor(server.origin)
  return { server, url: server.origin + path, token, end: server.end }
}

function peer(label, server) {
  return { label, server, url: server.url, headers: server.headers }
}

/** A fast "nobody" would be no answer to the question. */
async function checkAnswer(name, { url, headers }) {
  const answer = await (await fetch(url, { headers })).json()
  const expected = name === 'anonymous' ? answer === null : name === 'bare' || answer?.user
  if (!expected) throw new Error(`${name} does not know who is signed in.`)
}
