import 'server-only'
import { randomBytes } from 'node:crypto'
import { CacheEntries } from '@/core/auth/sessions/cache/entries'
import { Lease } from '@/core/auth/sessions/cache/lease'
import { type CachedSession, readSession } from '@/core/auth/sessions/read'
import { cacheKey } from '@/core/auth/sessions/token'
import type { Env } from '@/core/config/env'
import { singleton } from '@/core/config/singleton'
import { afterCommit } from '@/core/db/after-commit'
import { connection } from '@/core/db/client'
import type { Session } from '@/core/http/scope'
import { log } from '@/core/log/log'

const channel = 'plinth_sessions'
const maxEntries = 100_000
const unavailablePauseMs = 500

type State = {
  entries: CacheEntries
  /** On the embedded database every change is made, and received, in this process. */
  alwaysValid: boolean
  lease: Lease | undefined
  unsubscribe: () => Promise<void>
  /** Subscriptions in a row without a heartbeat, and the time of the next one. */
  attempts: number
  nextAttempt: number
}

const state = singleton(
  'session-cache',
  (): State => ({
    entries: new CacheEntries(maxEntries),
    alwaysValid: false,
    lease: undefined,
    unsubscribe: async () => {},
    attempts: 0,
    nextAttempt: Number.NEGATIVE_INFINITY,
  }),
)

export async function startSessionCache(settings: Env): Promise<void> {
  if (settings.SESSION_CACHE === 'off') return
  if (settings.embedded) {
    state.unsubscribe = await connection().listen(channel, {
      receive,
      subscribed: () => {},
      lost: () => {},
    })
    state.alwaysValid = true
  } else {
    state.lease = new Lease(randomBytes(6).toString('hex'), {
      send: (message) => connection().query(`select pg_notify('${channel}', $1)`, [message]),
      resubscribe,
    })
    afterCommit(catchUp)
    resubscribe()
  }
}

export async function stopSessionCache(): Promise<void> {
  afterCommit(undefined)
  state.lease?.end()
  state.lease = undefined
  state.alwaysValid = false
  state.entries.invalidateAll()
  const { unsubscribe } = state
  state.unsubscribe = async () => {}
  await unsubscribe().catch(() => {})
}

/** From the cache, or else from the database. */
export async function findSession(token: string): Promise<Session | undefined> {
  const key = cacheKey(token)
  return (getCachedSession(key, performance.now()) ?? (await loadSession(key)))?.session
}

export function getCachedSession(key: string, now: number): CachedSession | undefined {
  if (!state.alwaysValid && !state.lease?.isValid(now)) return undefined
  return state.entries.get(key, now)
}

export async function loadSession(key: string): Promise<CachedSession | undefined> {
  const { generation } = state.entries
  const cached = await readSession(key)
  if (cached && (state.alwaysValid || state.lease)) state.entries.put(key, cached, generation)
  return cached
}

/** A transaction of this process is visible in its cache before the caller gets the result. */
async function catchUp(): Promise<void> {
  if (state.entries.size === 0 || !state.lease) return
  if (!(await state.lease.catchUp())) state.entries.invalidateAll()
}

/** `b` is a heartbeat, `s` a changed session, `u` a changed user, `*` too many changes to list. */
function receive(message: string): void {
  const id = message.slice(1)
  if (message[0] === 'b') {
    if (state.lease?.receive(message)) state.attempts = 0
  } else if (message[0] === 's') state.entries.invalidateSession(id)
  else if (message[0] === 'u') state.entries.invalidateUser(id)
  else state.entries.invalidateAll()
}

/** Backs off where no heartbeat comes back, such as through a pooler. */
function resubscribe(): void {
  const now = performance.now()
  if (!state.lease || now < state.nextAttempt) return
  state.attempts += 1
  state.nextAttempt = now + Math.min(1_000 * 2 ** state.attempts, 30_000)
  if (state.attempts === 4) {
    log().warn(
      'the session cache receives nothing from the database, so every request queries it; behind a pooler set DATABASE_DIRECT_URL',
    )
  }
  const { unsubscribe } = state
  state.entries.invalidateAll()
  unsubscribe()
    .catch(() => {})
    .then(() => connection().listen(channel, { receive, subscribed, lost: resubscribe }))
    .then((stop) => {
      state.unsubscribe = stop
    })
    .catch(() => {
      // The database is unavailable, which says nothing about a pooler.
      state.attempts -= 1
      state.nextAttempt = performance.now() + unavailablePauseMs
    })
}

/** Changes may have been missed before the subscription. */
function subscribed(): void {
  state.entries.invalidateAll()
}
